import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { findProgram } from './find-program.js';

/** Writes each datagram that comes to a socket of Unix as lines of a file. Node has no such sockets; Perl is in every Debian. */
const RECEIVER = `use Socket; use IO::Handle;
socket(S, PF_UNIX, SOCK_DGRAM, 0) or die; bind(S, sockaddr_un($ARGV[0])) or die "$!"; open(F, '>', $ARGV[1]) or die; F->autoflush(1);
while (defined recv(S, $m, 4096, 0)) { print F "$m\\n" }`;

/** Plays systemd for a program of `Type=notify` (sd_notify(3)). */
export class NotifySocket {
  private constructor(
    readonly path: string,
    private readonly file: string,
    private readonly receiver: ChildProcess,
  ) {}

  static async start(folder: string): Promise<NotifySocket> {
    const [path, file] = [join(folder, 'notify'), join(folder, 'notify-messages')];
    const perl = findProgram('perl', 'it plays systemd in this test. Install it (Debian: apt-get install perl-base)');
    const receiver = spawn(perl, ['-e', RECEIVER, path, file], { stdio: ['ignore', 'ignore', 'inherit'] });
    await eventually('the socket of the service manager', () => existsSync(file));
    return new NotifySocket(path, file, receiver);
  }

  /** The assignments that have come: `READY=1`. Those with which systemd-notify waits for an answer are left out. */
  messages(): readonly string[] {
    const lines = readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
    return lines.filter((line) => line !== 'BARRIER=1' && line !== '');
  }

  async stop(): Promise<void> {
    const ended = once(this.receiver, 'exit');
    this.receiver.kill();
    await ended;
  }
}
