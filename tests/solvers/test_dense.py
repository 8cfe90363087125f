"""Libraries of dense algebra are held to one thread by the outermost call."""

import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from solvers.dense import one_thread


def threads() -> set[int]:
    return {library["num_threads"] for library in threadpool_info()}


def test_calls_inside_calls_hold_until_the_last_one_leaves() -> None:
    np.linalg.solve(np.eye(2), np.ones(2))
    with threadpool_limits(2):
        before = threads()
        with one_thread():
            with one_thread():
                assert threads() == {1}
            assert threads() == {1}
        assert threads() == before


def test_a_library_first_imported_inside_a_call_is_held() -> None:
    with one_thread(), one_thread("sklearn.svm", "scipy.linalg"):
        assert threads() == {1}


def test_an_error_lets_go() -> None:
    with threadpool_limits(2):
        before = threads()
        with pytest.raises(np.linalg.LinAlgError), one_thread():
            np.linalg.solve(np.zeros((2, 2)), np.ones(2))
        assert threads() == before


def test_a_call_of_another_thread_does_not_let_go() -> None:
    entered, leave = threading.Event(), threading.Event()

    def other() -> None:
        with one_thread():
            entered.set()
            leave.wait()

    thread = threading.Thread(target=other)
    thread.start()
    entered.wait()
    with one_thread():
        leave.set()
        thread.join()
        assert threads() == {1}
