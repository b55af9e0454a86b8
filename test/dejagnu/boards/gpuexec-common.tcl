# What gpuexec's boards share: a program is an image, and gpuexec runs it. Read by them, not a board itself.
#
# gpuexec is the one that the variable GPUEXEC names, in the environment or on runtest's command line, else the one of this
# installation, else the first in PATH; GPUEXEC_DEVICE in the environment chooses the device, GPUEXEC_OPTIONS adds options. A
# program may take as long as the board's "gpuexec,timeout" says, 120 seconds: gpuexec ends it then and says where it was.

set_board_info protocol "gpuexec"
set_board_info is_simulator 0
set_board_info gpuexec,timeout 120
process_multilib_options ""

# GCC's tests ask for these. A program has no signals, no processes of its own and no shared libraries.
set_board_info needs_status_wrapper 0
set_board_info gcc,no_trampolines 1
set_board_info gcc,signal_suppress 1
set_board_info gdb,nosignals 1

set gpuexec_boards [file dirname [file normalize [info script]]]

proc gpuexec_command {} {
    global env GPUEXEC gpuexec_boards
    if {[info exists GPUEXEC]} {
	return $GPUEXEC
    }
    if {[info exists env(GPUEXEC)]} {
	return $env(GPUEXEC)
    }
    set installed [file join $gpuexec_boards .. .. .. bin gpuexec]
    if {[file executable $installed]} {
	return [file normalize $installed]
    }
    return gpuexec
}

# As remote_load: runs prog with arguments, a string of words, and the file that is its standard input. Returns a result, the
# output, which has standard error's too, and the status.
proc gpuexec_load {dest prog args} {
    global env
    set program_arguments [lindex $args 0]
    set input [lindex $args 1]
    if {![file exists $prog]} {
	verbose -log "$prog does not exist"
	return [list "untested" "" -1]
    }
    set command [list [gpuexec_command] --timeout=[board_info $dest gpuexec,timeout]]
    if {[board_info $dest exists gpuexec,options]} {
	lappend command {*}[board_info $dest gpuexec,options]
    }
    if {[info exists env(GPUEXEC_OPTIONS)]} {
	lappend command {*}$env(GPUEXEC_OPTIONS)
    }
    lappend command $prog {*}$program_arguments
    if {$input eq ""} {
	set input "/dev/null"
    }
    verbose -log "Running $command < $input"
    set failed [catch {exec -ignorestderr -keepnewline -- {*}$command < $input 2>@1} output options]
    set status 0
    if {$failed} {
	set code [dict get $options -errorcode]
	switch -- [lindex $code 0] {
	    CHILDSTATUS {
		set status [lindex $code 2]
		# Tcl adds a line of its own.
		regsub {\n?child process exited abnormally$} $output "" output
	    }
	    default {
		verbose -log "gpuexec: $output"
		return [list "unresolved" $output -1]
	    }
	}
    }
    # 125: gpuexec itself failed, or nobody set a status; 126 and 127: no image that runs here.
    set result [expr {$status == 0 ? "pass" : $status == 126 || $status == 127 ? "unsupported" : "fail"}]
    verbose -log "status $status\n$output" 2
    return [list $result $output $status]
}

# There is nobody to send files to: host and target share them.
proc gpuexec_download {dest file args} {
    return [remote_download host $file $args]
}
proc gpuexec_upload {dest source args} {
    return [remote_upload host $source $args]
}
proc gpuexec_file {dest args} {
    return [eval [list remote_file host] $args]
}
proc gpuexec_exec {dest program args} {
    set result [gpuexec_load $dest $program {*}$args]
    return [list [lindex $result 2] [lindex $result 1]]
}
