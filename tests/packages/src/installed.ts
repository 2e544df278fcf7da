import { DebianRoot, ROOT, type Ended } from './debian-root.js';
import type { FirstProcess } from './first-process.js';
import { DEB } from './given.js';
import { READER_PROGRAM, VISITOR_PROGRAM } from './visitor.js';

export const DATA = '/var/lib/ringdown';

/** A machine on which the package of Debian is installed. */
export class InstalledMachine {
  private constructor(readonly machine: DebianRoot) {}

  static async start(archive: string, first?: FirstProcess): Promise<InstalledMachine> {
    const machine = await DebianRoot.start(archive, first);
    machine.copyIn(DEB, '/root/ringdown.deb');
    return new InstalledMachine(machine);
  }

  /** `apt-get` as root, which answers no questions. It gives dpkg a terminal, on which both outputs are one. */
  async apt(...args: readonly string[]): Promise<Pick<Ended, 'code' | 'out'>> {
    const env = { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
    const { code, out, err } = await this.machine.run(ROOT, `apt-get -y -q ${args.join(' ')}`, env);
    return { code, out: `${out}${err}`.replaceAll('\r\n', '\n') };
  }

  /** A line of root that has to work. */
  output(line: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    return this.machine.output(ROOT, line, env);
  }

  /** Posts a record, unless it is known, and finds its call in the API of the console. */
  visit(callId: string, post: 'yes' | 'no' = 'yes'): Promise<string> {
    return this.output(`/usr/lib/ringdown/node/bin/node --eval "$CODE" ${DATA} 8443 8080 ${callId}`, {
      CODE: VISITOR_PROGRAM,
      NODE_EXTRA_CA_CERTS: `${DATA}/tls/cert.pem`,
      POST: post,
    });
  }

  /** What the API answers to an operator, each as JSON; the one of the first users unless `WHO` and `PASSWORD` are given. */
  async answers(paths: readonly string[], who: Readonly<Record<string, string>> = {}): Promise<readonly unknown[]> {
    const words = paths.map((path) => `'${path}'`).join(' ');
    const env = { CODE: READER_PROGRAM, NODE_EXTRA_CA_CERTS: `${DATA}/tls/cert.pem`, ...who };
    return JSON.parse(await this.output(`/usr/lib/ringdown/node/bin/node --eval "$CODE" ${DATA} 8443 ${words}`, env));
  }

  stop(): Promise<void> {
    return this.machine.stop();
  }
}
