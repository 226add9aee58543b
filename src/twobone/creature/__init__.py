"""An animal that walks on two-bone legs."""
