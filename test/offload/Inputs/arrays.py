"""Prints what some functions of numpy compute, to eight digits."""

import multiprocessing

import numpy

random = numpy.random.default_rng(1)
a, b = random.standard_normal((2, 150, 150))


def show(name, array):
    print(name, "%.8e" % numpy.abs(array).sum(), flush=True)


def product(seed):
    c = numpy.full((150, 150), 1.0) * seed
    return float(numpy.abs(c @ a).sum())


show("product", a @ b)
show("transposed", a.T @ b)
show("gram", a.T @ a)
show("single", a.astype("f4")[:64, :64].round(1) @ b.astype("f4")[:64, :64].round(1) // 8)
show("complex", (a + 1j * b) @ (b + 1j * a))
show("strided", a[::2, :60] @ b[:60, ::3])
show("solve", numpy.linalg.solve(a + 20 * numpy.eye(150), b))
show("inverse", numpy.linalg.inv(a + 20 * numpy.eye(150)))
show("cholesky", numpy.linalg.cholesky(a @ a.T + 150 * numpy.eye(150)))
show("eigenvalues", numpy.linalg.eigvalsh(a @ a.T))
a[3, 4] = 5
show("changed", a @ b)
with multiprocessing.get_context("fork").Pool(2) as pool:
    for number in pool.map(product, range(1, 4)):
        print("child", "%.8e" % number)
show("after", a @ b)
