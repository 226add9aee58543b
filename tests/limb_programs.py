"""Programs that limbs and skeletons record of their formulas: after how many calls, and which."""

from unittest import mock

from twobone.core import batches, programs, reverse

SINGLE = programs.SINGLE  # calls for one pose after which there is a program
BATCH = programs.BATCH  # calls for many poses
MANY = programs.MANY  # how many poses are many
MOST_KEPT = programs.MOST_KEPT


def are_programs(holder):
    """Return whether each formula that a limb or skeleton has computed is a program, or not."""
    return [isinstance(each, programs.Program) for each in holder._programs.kept.values()]


def refuse(*_, **__):
    raise AssertionError("a program was recorded, or a formula ran")


def no_program_is_recorded():
    """Return a context in which no program may be recorded."""
    return mock.patch.object(programs, "compile_formula", refuse)


def no_derivative_is_recorded():
    """Return a context in which no program of a derivative may be recorded."""
    return mock.patch.object(reverse, "compile_pull", refuse)


def no_formula():
    """Return a context in which no formula may run on tensors: operators must answer."""
    return mock.patch.object(batches, "run_other", refuse)


def only_formula():
    """Return a context in which formulas run on tensors, and no operator does."""
    return mock.patch.object(operators(), "may_operate", return_value=False)


def operators():
    """Return the module of PyTorch's operators for programs; PyTorch must be there."""
    from twobone.core import torch_programs

    return torch_programs


def calls_of_operators():
    """Return a context that yields a list: the arguments of each call of the operator."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class Calls(TorchDispatchMode):
        def __enter__(self):
            super().__enter__()
            self.seen = []
            return self.seen

        def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
            if operator.name() == "twobone::run_program":
                self.seen.append(args)
            return operator(*args, **(kwargs or {}))

    return Calls()
