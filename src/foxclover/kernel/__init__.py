"""The kernel: the rules and what thinks on top of them, built ahead from the one source and run by Python and by the browser."""
