"""The whole of doll here looked over: what bites without being noticed, each with its mending."""
