import { lossReport } from '@ringdown/call-capture/test/write-rtcp.js';
import { freePort } from '@ringdown/embedded';
import { startSender, type StartedProgram } from '@ringdown/sender/test/programs.js';
import { eventually } from '@ringdown/testing/eventually';
import { findProgram } from '@ringdown/testing/find-program';
import { freePorts, launch, running, SystemClient } from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { Started } from '@ringdown/testing/started';
import { createSocket } from 'node:dgram';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TSHARK_ADVICE } from '../wire-messages.js';
import { Phone, type PhoneOptions } from './phone.js';
import { PhoneNetwork, type PhonePlace } from './phone-network.js';
import { startSipCore } from './sip-core.js';
import { writeTone } from './tone.js';
import { callReader, type CallReader, type ViewedCall } from './viewed-call.js';

/** baresip reports each five seconds; three reports have more than the 500 packets that a verdict needs. */
export const JUDGED_MS = 17_000;
const HEP_PORT = 9_060;
/** Longer than any call. */
const TONE_SECONDS = 120;
/** What a busy machine adds is not judged: phones in software send late when they get no processor. */
const THRESHOLDS = { audio: { metrics: { JitterInterArrival: null } } };

/** Of the aggregator for reports; the sender's wait is shorter. */
const SHORT_WAITS = { ENDED_TIMEOUT_SECONDS: '5', QOE_TIMEOUT_SECONDS: '2', TIMEOUT_SWEEP_SECONDS: '1' };

/** A sender that can be killed and started again at the same port. */
class SenderProcess {
  private program: StartedProgram | undefined;

  constructor(private readonly settings: Readonly<Record<string, string>>) {}

  async start(): Promise<void> {
    const program = startSender(['run'], this.settings);
    this.program = program;
    await eventually('the sender', () => program.stderrText().includes('listening for HEP'));
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    this.program?.kill(signal);
    await this.program?.ended;
  }

  stop(): Promise<void> {
    return this.end('SIGTERM');
  }
}

/**
 * Phones, Kamailio and rtpengine in networks of their own; the sender that gets their packets, and the system that gets its
 * records.
 */
export class PhoneSystem {
  private constructor(
    private readonly started: Started,
    readonly network: PhoneNetwork,
    readonly sender: SenderProcess,
    readonly calls: CallReader,
    readonly folder: string,
    private readonly client: SystemClient,
  ) {}

  static async start(
    phones: { readonly home: number; readonly outside: number },
    routes: Readonly<Record<string, string>> = {},
  ): Promise<PhoneSystem> {
    const started = new Started();
    try {
      const folder = mkdtempSync(join(tmpdir(), 'ringdown-phones-'));
      started.add({ stop: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })) });
      const { client, collector } = await startSystem(started, folder);
      const network = started.add(await PhoneNetwork.start(phones));
      const sender = started.add(
        new SenderProcess({
          HEP_HOST: network.hostAddress,
          HEP_PORT: String(HEP_PORT),
          INNER_PORT: String(await freePort()),
          SUBMIT_URI: collector,
          FRONT_END: 'phones',
          TRACE: 'on',
          SENDER_QOE_TIMEOUT_SECONDS: '2',
        }),
      );
      await sender.start();
      await startSipCore(network.core, folder, { hep: `${network.hostAddress}:${HEP_PORT}`, routes });
      writeTone(join(folder, 'tone.wav'), TONE_SECONDS);
      return new PhoneSystem(started, network, sender, await callReader(client), folder, client);
    } catch (error) {
      await started.stopAll();
      throw error;
    }
  }

  phoneAtHome(user: string, n: number, options?: PhoneOptions): Promise<Phone> {
    return this.phone(user, this.network.home[n], options);
  }

  phoneOutside(user: string, n: number, options?: PhoneOptions): Promise<Phone> {
    return this.phone(user, this.network.outside[n], options);
  }

  /** Returns the call as it was on hold. */
  async holdAndRetrieve(phone: Phone, callId: string): Promise<ViewedCall> {
    await phone.hold();
    const held = await this.calls.until(callId, 'held', (call) => call.streams.some(({ state }) => state === 'held'));
    await phone.retrieve();
    await this.calls.until(callId, 'retrieved', (call) => call.streams.every(({ state }) => state === 'active'));
    return held;
  }

  /** What an operator downloads. */
  async bytes(path: string): Promise<Buffer> {
    return this.client.bytesAs(await this.client.signIn('carol'), path);
  }

  /** Sends the sender the RTCP of a phone without any: the media that it received at this address had loss. */
  async report(callId: string, receiver: { readonly ip: string; readonly port: number }): Promise<void> {
    const socket = createSocket('udp4');
    const sent = promisify<Buffer, number, string>(socket.send.bind(socket));
    await sent(lossReport(callId, receiver, Date.now()), HEP_PORT, this.network.hostAddress);
    socket.close();
  }

  /** A file with all SIP at the core from now on. */
  async capture(): Promise<string> {
    const file = join(this.folder, 'wire.pcap');
    const options = ['-i', 'any', '-F', 'pcap', '-w', file, '-f', 'port 5060'];
    this.network.core.spawn(findProgram('tshark', TSHARK_ADVICE), options).stderr.resume();
    await eventually('the capture', () => existsSync(file) && statSync(file).size > 0);
    return file;
  }

  stop(): Promise<void> {
    return this.started.stopAll();
  }

  private phone(user: string, place: PhonePlace | undefined, options?: PhoneOptions): Promise<Phone> {
    if (!place) throw new Error(`the network has no place for ${user}`);
    return Phone.start(user, place, { folder: this.folder, tone: join(this.folder, 'tone.wav') }, options);
  }
}

async function startSystem(
  started: Started,
  folder: string,
): Promise<{ readonly client: SystemClient; readonly collector: string }> {
  const data = join(folder, 'data');
  mkdirSync(data);
  const thresholds = join(folder, 'thresholds.json');
  writeFileSync(thresholds, JSON.stringify(THRESHOLDS));
  await seedDatabase(join(data, 'database'));
  const ports = await freePorts();
  const system = started.add(launch({ ...ports, DATA_DIR: data, QUALITY_THRESHOLDS: thresholds, ...SHORT_WAITS }));
  await running(system);
  const client = started.add(new SystemClient(data, ports));
  return { client, collector: client.collector };
}
