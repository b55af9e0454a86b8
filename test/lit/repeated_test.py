"""A format for lit: tests that are executed several times."""

import lit.formats


class Repeated(lit.formats.ShTest):
    """Each test is executed several times; the first failure is its result."""

    def __init__(self, count):
        super().__init__(execute_external=True)
        self.count = count

    def execute(self, test, lit_config):
        for _ in range(self.count):
            result = super().execute(test, lit_config)
            if result.code.isFailure:
                break
        return result
