"""Signing: which committed version of a path counts where the vault asks for signatures."""
