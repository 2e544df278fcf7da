import { ZstdFrames } from '../store/records/zstd-frames.js';
import type { MessageAddress, StoredMessage } from './call-message.js';

/** The first byte of what is stored tells its form, so that later versions can add others. */
const ZSTD = 2;
/** More than the messages of one call in one batch can be. */
const MOST_BYTES = 33_554_432;
const frames = new ZstdFrames({ level: 1, mostBytes: MOST_BYTES });
const LENGTH_BYTES = 4;

/** What is known of a message beside its payload, and the bytes of that. */
type Head = readonly [
  callId: string,
  at: number,
  frontEnd: string,
  point: string,
  source: readonly [string, number],
  destination: readonly [string, number],
  content: StoredMessage['content'],
  bytes: number,
];

/** A length, the heads as JSON, and behind them the payloads as they are: in base64 they would take a third more. */
export function packMessages(messages: readonly StoredMessage[]): Buffer {
  const heads = Buffer.from(JSON.stringify(messages.map(messageHead)));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(heads.length);
  const content = Buffer.concat([length, heads, ...messages.map(({ payload }) => payload)]);
  return Buffer.concat([Buffer.of(ZSTD), frames.pack(content)]);
}

/** Throws when it is damaged, or of a version that is newer than this one. */
export function unpackMessages(packed: Buffer): readonly StoredMessage[] {
  if (packed[0] !== ZSTD) throw new Error(`messages of calls are stored in the unknown form ${packed[0]}`);
  const content = frames.unpack(packed.subarray(1));
  let end = LENGTH_BYTES + content.readUInt32LE();
  const heads = JSON.parse(content.toString('utf8', LENGTH_BYTES, end)) as readonly Head[]; // oxlint-disable-line typescript/no-unsafe-type-assertion -- has a checksum, and only packMessages writes it
  return heads.map(([callId, at, frontEnd, point, source, destination, what, bytes]) => {
    const payload = content.subarray(end, (end += bytes));
    return {
      callId,
      at,
      frontEnd,
      point,
      source: address(source),
      destination: address(destination),
      content: what,
      payload,
    };
  });
}

function messageHead({ callId, at, frontEnd, point, source, destination, content, payload }: StoredMessage): Head {
  const [from, to] = [source, destination];
  return [callId, at, frontEnd, point, [from.ip, from.port], [to.ip, to.port], content, payload.length];
}

function address([ip, port]: readonly [string, number]): MessageAddress {
  return { ip, port };
}
