import { eventually } from '@ringdown/testing/eventually';
import { findProgram } from '@ringdown/testing/find-program';
import { UdpPorts } from '@ringdown/testing/udp-ports';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cancelled, phoneThatIsBusy, phoneThatRings, refused } from './sip-scenarios.js';

const ADVICE = 'these tests need a real SIP platform. Install it (Debian: apt-get install kamailio sip-tester)';
/**
 * A loopback address of its own: sipp and Kamailio bind with SO_REUSEADDR, so with a shared address
 * the calls of another test could arrive here if both chose the same port.
 */
const HOST = ['127', randomInt(1, 255), randomInt(0, 256), randomInt(1, 255)].join('.');

/** The ports of one phone: its SIP port, and the first of its media ports. */
interface PhonePorts {
  readonly port: number;
  readonly media: number;
}

/** sipp uses the given port for audio, and the second after it for video; RTCP uses the next port of each. */
const MEDIA_PORTS = 4;

/** The result of a group of calls. `answer`: they are answered and last for `talkMs`; the others fail. */
export type CallKind = 'answer' | 'busy' | 'forbidden' | 'ring';

export interface CallGroup {
  readonly kind: CallKind;
  readonly count: number;
  /** Calls a second. */
  readonly rate: number;
  readonly talkMs?: number;
}

/** Calls of all kinds at the same time: 150 that are answered, 50 that fail in three ways. */
export const TWO_HUNDRED_CALLS: readonly CallGroup[] = [
  { kind: 'answer', count: 110, rate: 40, talkMs: 2_000 },
  { kind: 'answer', count: 40, rate: 15, talkMs: 4_000 },
  { kind: 'busy', count: 20, rate: 10 },
  { kind: 'forbidden', count: 15, rate: 10 },
  { kind: 'ring', count: 15, rate: 10 },
];

/** A Kamailio that captures to HEP, with sipp phones behind it. The called address selects the result of a call. */
export class SipPlatform {
  private readonly children: ChildProcess[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'ringdown-sip-'));
  private readonly sipp = findProgram('sipp', ADVICE);
  /** Part of every Call-ID, because process ids are reused. */
  private readonly mark = randomUUID();
  private readonly ports = new UdpPorts(HOST);
  private port = 0;

  private constructor(private readonly hepPort: number) {}

  /** The URIs of the parties: `caller`, and the callee of each kind of call. */
  uriOf(party: CallKind | 'caller'): string {
    return `sip:${party === 'caller' ? 'sipp' : party}@${HOST}`;
  }

  /** Whether a call was placed by this platform. */
  isOwn(callId: string): boolean {
    return callId.includes(this.mark);
  }

  /** Throws an Error that explains how to install a missing program. */
  static async start(hepPort: number): Promise<SipPlatform> {
    const kamailio = findProgram('kamailio', ADVICE);
    const platform = new SipPlatform(hepPort);
    try {
      await platform.open(kamailio);
      return platform;
    } catch (error) {
      await platform.stop();
      throw error;
    }
  }

  /** Places calls and waits until all of them are over. Rejects if one had another result than expected. */
  async place({ kind, count, rate, talkMs = 0 }: CallGroup): Promise<void> {
    const { port, media } = await this.phonePorts();
    const own = { busy: refused(486), forbidden: refused(403), ring: cancelled() };
    const scenario =
      kind === 'answer' ? ['-sn', 'uac', '-d', String(talkMs)] : ['-sf', this.file(`${kind}-${port}.xml`, own[kind])];
    const target = ['-s', kind, `${HOST}:${this.port}`];
    const pace = ['-m', String(count), '-r', String(rate), '-cid_str', `%u-%p-${this.mark}`];
    await this.run([...scenario, ...target, ...pace, ...at({ port, media })]);
  }

  /** The same for several groups at once. */
  async placeAll(groups: readonly CallGroup[]): Promise<void> {
    await Promise.all(groups.map((group) => this.place(group)));
  }

  async stop(): Promise<void> {
    for (const child of this.children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async open(kamailio: string): Promise<void> {
    const [answer, busy, ring] = [await this.phonePorts(), await this.phonePorts(), await this.phonePorts()];
    this.port = (await this.phonePorts()).port;
    const phones = { answer: answer.port, busy: busy.port, ring: ring.port };
    const config = this.file('kamailio.cfg', kamailioConfig(this.port, this.hepPort, phones));
    // `-DD`: in the foreground, as our child; `-E`: log to standard error.
    this.launch(kamailio, ['-f', config, '-DD', '-E', '-m', '32', '-M', '4', '-Y', this.folder]);
    this.launch(this.sipp, ['-sn', 'uas', ...at(answer)]);
    this.launch(this.sipp, ['-sf', this.file('busy.xml', phoneThatIsBusy()), ...at(busy)]);
    this.launch(this.sipp, ['-sf', this.file('ring.xml', phoneThatRings()), ...at(ring)]);
    await eventually('the proxy to answer', () => answersOptions(this.port));
  }

  private async phonePorts(): Promise<PhonePorts> {
    const port = await this.ports.reserve(1 + MEDIA_PORTS);
    return { port, media: port + 1 };
  }

  private file(name: string, text: string): string {
    const file = join(this.folder, name);
    writeFileSync(file, text);
    return file;
  }

  private launch(command: string, args: readonly string[]): void {
    this.children.push(spawn(command, [...args], { cwd: this.folder, stdio: 'ignore' }));
  }

  private run(args: readonly string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = execFile(this.sipp, [...args], { cwd: this.folder, timeout: 250_000 }, (error, stdout, stderr) => {
        if (error) reject(new Error(`sipp ended with ${child.exitCode}: ${(stderr || stdout).slice(-1_500)}`));
        else resolve();
      });
      this.children.push(child);
    });
  }
}

function at({ port, media }: PhonePorts): string[] {
  return ['-i', HOST, '-p', String(port), '-mp', String(media), '-nostdin', '-timeout_error', '-timeout', '240s'];
}

function kamailioConfig(port: number, hepPort: number, phones: Readonly<Record<string, number>>): string {
  const modules = ['tm', 'tmx', 'sl', 'pv', 'siputils', 'siptrace'].map((name) => `loadmodule "${name}.so"`);
  const routes = Object.entries(phones).map(([user, phone]) => `  if ($rU == "${user}") $du = "sip:${HOST}:${phone}";`);
  return `#!KAMAILIO
debug=0
log_stderror=yes
children=1
disable_tcp=yes
auto_aliases=no
listen=udp:${HOST}:${port}
${modules.join('\n')}
modparam("siptrace", "duplicate_uri", "sip:127.0.0.1:${hepPort}")
modparam("siptrace", "hep_mode_on", 1)
modparam("siptrace", "hep_version", 3)
modparam("siptrace", "trace_to_database", 0)
modparam("siptrace", "trace_on", 1)
modparam("siptrace", "trace_mode", 1)
request_route {
  if ($rm == "OPTIONS") { sl_send_reply("200", "OK"); exit; }
  if ($rU == "forbidden") {
    if ($rm != "ACK") sl_send_reply("403", "Forbidden");
    exit;
  }
${routes.join('\n')}
  if ($rm == "CANCEL" && !t_check_trans()) exit;
  t_relay();
}
`;
}

/** Whether something answers a SIP request at a port. */
async function answersOptions(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  const lines = [
    `OPTIONS sip:${HOST}:${port} SIP/2.0`,
    `Via: SIP/2.0/UDP ${HOST};rport;branch=z9hG4bK-ready`,
    'From: <sip:test@localhost>;tag=1',
    `To: <sip:${HOST}>`,
    'Call-ID: ready',
    'CSeq: 1 OPTIONS',
    'Content-Length: 0',
  ];
  const answered = new Promise<boolean>((resolve) => {
    socket.once('message', () => resolve(true));
    // No server listens there yet.
    socket.once('error', () => resolve(false));
    setTimeout(() => resolve(false), 500).unref();
  });
  socket.send(`${lines.join('\r\n')}\r\n\r\n`, port, HOST);
  const isThere = await answered;
  socket.close();
  return isThere;
}
