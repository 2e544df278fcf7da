import * as fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptureReader, PacketsInFrames, type CapturedPacket } from '../src/index.js';
import { AT, type GeneratedCapture } from './generated-capture.js';
import { CALL_CAPTURES, nestedCall } from './generated-captures.js';
import { shuffledConnection, STREAM_CAPTURES } from './stream-captures.js';
import { messagesByTshark } from './tshark.js';
import { writeInterfaces, writePcap } from './write-pcap.js';

/** Between the captures in one file. */
const APART_MS = 10_000;
const SEED = 20_261_123;
const STACKS = 200;
const CONNECTIONS = 100;
type MessagesByCapture = Readonly<Record<string, readonly string[] | undefined>>;
/** NFLOG has the byte order of the machine, which a file of another order does not tell. */
const NFLOG = 239;
const IN_ONE_FILE = CALL_CAPTURES.filter(({ linkType }) => linkType !== NFLOG);
const BY_ITSELF = CALL_CAPTURES.filter(({ linkType }) => linkType === NFLOG);
const HEAD = {
  callId: /\nCall-ID: (.{1,100})\r/,
  cseq: /\nCSeq: (.{1,100})\r/,
  status: /^SIP\/2\.0 (\d{3})/,
  method: /^([A-Z]{1,32}) /,
};

function packetLine({ source, destination, capturedAt = 0, payload }: CapturedPacket): string {
  const text = payload.toString('latin1');
  const [callId, cseq] = [HEAD.callId.exec(text)?.[1], HEAD.cseq.exec(text)?.[1]];
  const what = HEAD.status.exec(text)?.[1] ?? HEAD.method.exec(text)?.[1];
  const places = [source, destination].map(({ ip, port }) => `${ip} ${port}`);
  return [(capturedAt / 1_000).toFixed(3), ...places, callId, cseq, what].join(' | ');
}

function messagesByUs(file: Buffer): readonly string[] {
  const [reader, packets] = [new CaptureReader(), new PacketsInFrames()];
  const found = [...reader.push(file)].flatMap((frame) => [...packets.add(frame)]);
  return [...found, ...packets.end()].map(packetLine);
}

describe('tshark', () => {
  let folder: string;

  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'ringdown-tshark-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  async function byTshark(bytes: Buffer, isOrdering?: boolean): Promise<readonly string[]> {
    const file = join(folder, 'generated.pcap');
    writeFileSync(file, bytes);
    return messagesByTshark(file, isOrdering);
  }

  /** The messages of both readers by capture: all are in one file, one after another. */
  async function byBoth(captures: readonly GeneratedCapture[]): Promise<readonly MessagesByCapture[]> {
    const links = captures.map(({ linkType, frames }, n) => ({
      linkType,
      frames: frames.map((frame) => ({ ...frame, at: frame.at + n * APART_MS })),
    }));
    const bytes = writeInterfaces(links);
    const nameOf = (line: string): string => {
      const index = Math.floor((Number.parseFloat(line) * 1_000 - AT) / APART_MS);
      return `${index}: ${captures[index]?.name}`;
    };
    return [messagesByUs(bytes), await byTshark(bytes)].map((lines) => Object.groupBy(lines, nameOf));
  }

  it('reads the same messages in every link and tunnel', async () => {
    const [ours, theirs] = await byBoth(IN_ONE_FILE);
    expect(ours).toEqual(theirs);
    expect(Object.keys(ours ?? {}).length).toBe(IN_ONE_FILE.length);
  });

  it('reads the same messages in tunnels within each other', async () => {
    const stacks = fc.sample(fc.array(fc.nat(1_000), { minLength: 2, maxLength: 4 }), { seed: SEED, numRuns: STACKS });
    const [ours, theirs] = await byBoth(stacks.map((stack, n) => nestedCall(stack, n % 2 === 0 ? 4 : 6)));
    expect(ours).toEqual(theirs);
    expect(Object.keys(ours ?? {}).length).toBe(STACKS);
  });

  it('reads the same messages of connections whose segments are out of order', async () => {
    const numbers = fc.array(fc.nat(100), { maxLength: 4 });
    const lengths = fc.array(fc.integer({ min: 20, max: 700 }), { minLength: 1, maxLength: 5 });
    const shuffle = fc.record({ lengths, swapped: numbers, repeated: numbers });
    const drawn = fc.sample(shuffle, { seed: SEED, numRuns: CONNECTIONS });
    const [ours, theirs] = await byBoth(drawn.map((parts, n) => shuffledConnection({ ...parts, port: 20_000 + n })));
    expect(ours).toEqual(theirs);
    expect(Object.values(ours ?? {}).flat().length).toBe(CONNECTIONS * 6);
  });

  it.each([...BY_ITSELF, ...STREAM_CAPTURES.filter(({ differs }) => differs === undefined)])(
    'reads the same messages in a capture of $name',
    async ({ linkType, frames, hasLostSegments = false }) => {
      const bytes = writePcap(linkType, frames);
      expect(messagesByUs(bytes)).toEqual(await byTshark(bytes, !hasLostSegments));
    },
  );
});
