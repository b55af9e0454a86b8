"""Runs a command, and prints how often the kernel changed between its threads for each of CALLS: `few` below one in two, else the numbers.

usage: switches.py CALLS COMMAND [ARGUMENT...]
"""

import resource
import subprocess
import sys

calls, command = int(sys.argv[1]), sys.argv[2:]
done = subprocess.run(command, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
switches = used.ru_nvcsw + used.ru_nivcsw
print("few switches" if 2 * switches < calls else "%d switches for %d calls" % (switches, calls))
sys.exit(done.returncode)
