import os
import sys

import lit.formats

config.name = "roman"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test", ".c"]
config.test_source_root = os.path.dirname(__file__)

sys.path.insert(0, config.gpuexec_lit_module)
import gpuexec_lit

gpuexec_lit.configure(config, lit_config, bin_dir=config.gpuexec_bin)
config.substitutions.append(("%roman", config.roman_image))
config.environment["PATH"] = "/usr/lib/llvm-22/bin" + os.pathsep + os.environ["PATH"]
