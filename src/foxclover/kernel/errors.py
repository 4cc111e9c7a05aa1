"""What can go wrong with the kernel."""


class KernelError(RuntimeError):
    """The kernel has stopped or cannot do what is asked of it, and why."""


class KernelWarning(UserWarning):
    """The kernel cannot be used, so that CPython runs the same functions, slowly."""
