import { eventually } from '@ringdown/testing/eventually';
import { findProgram } from '@ringdown/testing/find-program';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOMAIN, PASSWORD } from './kamailio-config.js';
import { endProgram } from './namespaces.js';
import { Netstrings } from './netstrings.js';
import { CORE, MEDIA_PORTS, type PhonePlace } from './phone-network.js';

const ADVICE = 'these tests need real phones. Install them (Debian: apt-get install baresip-core)';
const CONTROL_PORT = 4_444;
/** Reaches the control port inside of the namespace as soon as it is open; nothing but bash is needed for it. */
const CONNECT = `until exec 3<>/dev/tcp/127.0.0.1/${CONTROL_PORT}; do sleep 0.1; done; cat <&3 & exec cat >&3`;

/** An event of baresip: the end of a call, for example. */
export interface PhoneEvent {
  readonly type: string;
  /** Call-ID. */
  readonly id?: string;
  readonly peeruri?: string;
}

/** G.711 with RTCP at a port of its own, or Opus with RTCP at the port of RTP. */
export type PhoneMedia = 'G.711' | 'Opus, RTCP multiplexed';

export interface PhoneOptions {
  readonly media?: PhoneMedia;
  /** Of SIP. */
  readonly transport?: 'udp' | 'tcp';
}

/** A baresip with an account, which is operated through its control port. */
export class Phone {
  private readonly events: PhoneEvent[] = [];
  private readonly answers = new Map<string, string>();
  private readonly control: ChildProcessWithoutNullStreams;
  private commands = 0;

  private constructor(
    readonly user: string,
    readonly place: PhonePlace,
    private readonly program: ChildProcessWithoutNullStreams,
  ) {
    program.stdout.resume();
    program.stderr.resume();
    this.control = place.namespace.spawn(findProgram('bash', ADVICE), ['-c', CONNECT]);
    const read = new Netstrings();
    this.control.stdout.on('data', (bytes: Buffer) => read.add(bytes).forEach((text) => this.onMessage(text)));
    this.control.stderr.resume();
  }

  get uri(): string {
    return phoneUri(this.user);
  }

  /** Resolves when the phone is registered. What it sends is in `tone`, a WAV file. */
  static async start(
    user: string,
    place: PhonePlace,
    { folder, tone }: { readonly folder: string; readonly tone: string },
    { media = 'G.711', transport = 'udp' }: PhoneOptions = {},
  ): Promise<Phone> {
    const own = mkdtempSync(join(folder, `${user}-`));
    writeFileSync(join(own, 'config'), configOf(tone, media));
    const account = `<${phoneUri(user)};transport=${transport}>;regint=3600;outbound="sip:${CORE};transport=${transport}"`;
    writeFileSync(join(own, 'accounts'), `${account};auth_pass=${PASSWORD}\n`);
    writeFileSync(join(own, 'contacts'), '');
    const program = place.namespace.spawn(findProgram('baresip', ADVICE), ['-f', own]);
    const phone = new Phone(user, place, program);
    await eventually(`${user} to be registered`, async () => {
      if (program.exitCode !== null) throw new Error(`baresip ended with ${program.exitCode}`);
      return (await phone.command('reginfo')).includes('OK');
    });
    return phone;
  }

  /** Resolves with the Call-ID as soon as the other side responds. */
  async dial(user: string): Promise<string> {
    const before = this.events.length;
    await this.command('dial', phoneUri(user));
    return eventually(`a response to ${this.user}`, () => this.events.slice(before).find(({ id }) => id)?.id);
  }

  /** A call that is answered at once; its Call-ID. */
  async talkTo(other: Phone): Promise<string> {
    const callId = await this.dial(other.user);
    await other.answer(callId);
    await this.on('CALL_ESTABLISHED', callId);
    return callId;
  }

  async answer(callId: string): Promise<void> {
    await this.on('CALL_INCOMING', callId);
    await this.command('accept');
  }

  /** Ends the call, cancels it, or rejects it. */
  async hangUp(): Promise<void> {
    await this.command('hangup');
  }

  async hold(): Promise<void> {
    await this.command('hold');
  }

  async retrieve(): Promise<void> {
    await this.command('resume');
  }

  async transferTo(user: string): Promise<void> {
    await this.command('transfer', phoneUri(user));
  }

  /** Signs off, and ends. */
  stop(): Promise<void> {
    return endProgram(this.program);
  }

  /** Resolves when the phone has reported this of the call. */
  on(type: string, callId: string): Promise<PhoneEvent> {
    return eventually(`${type} at ${this.user}`, () =>
      this.events.find((event) => event.type === type && event.id === callId),
    );
  }

  /** The Call-ID of the latest call that came in after those. */
  incomingAfter(callIds: readonly string[]): Promise<string> {
    return eventually(`a call to ${this.user}`, () => {
      return this.events.find(({ type, id }) => type === 'CALL_INCOMING' && id && !callIds.includes(id))?.id;
    });
  }

  private async command(command: string, params = ''): Promise<string> {
    const token = String(++this.commands);
    this.control.stdin.write(Netstrings.write(JSON.stringify({ command, params, token })));
    return eventually(`${this.user} to ${command}`, () => this.answers.get(token));
  }

  private onMessage(text: string): void {
    const message: PhoneEvent & { readonly event?: true; readonly token?: string; readonly data?: string } =
      JSON.parse(text);
    if (message.event) this.events.push(message);
    else if (message.token !== undefined) this.answers.set(message.token, message.data ?? '');
  }
}

function phoneUri(user: string): string {
  return `sip:${user}@${DOMAIN}`;
}

/** Without hardware: a file is its microphone, and it has no loudspeaker. */
function configOf(tone: string, media: PhoneMedia): string {
  const isOpus = media !== 'G.711';
  return [
    'poll_method epoll',
    'sip_listen 0.0.0.0:5060',
    `audio_source aufile,${tone}`,
    'ausrc_srate 8000',
    'auplay_srate 8000',
    'audio_channels 1-2',
    'ausrc_channels 1',
    'auplay_channels 1',
    `rtp_ports ${MEDIA_PORTS.join('-')}`,
    `rtcp_mux ${isOpus ? 'yes' : 'no'}`,
    'module_path /usr/lib/baresip/modules',
    `module ${isOpus ? 'opus' : 'g711'}.so`,
    'module aufile.so',
    'module_tmp account.so',
    'module_app contact.so',
    'module_app menu.so',
    'module_app ctrl_tcp.so',
    `ctrl_tcp_listen 127.0.0.1:${CONTROL_PORT}`,
    '',
  ].join('\n');
}
