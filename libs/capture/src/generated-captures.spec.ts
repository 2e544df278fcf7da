import { CALL_CAPTURES } from '../test/generated-captures.js';
import { STREAM_CAPTURES } from '../test/stream-captures.js';
import { writePcap } from '../test/write-pcap.js';
import { CaptureReader } from './file/capture-reader.js';
import { PacketsInFrames } from './packets-in-frames.js';

describe('a generated capture', () => {
  it.each([...CALL_CAPTURES, ...STREAM_CAPTURES])(
    'of $name is read, with a report of the rest',
    ({ linkType, frames, messages, notRead }) => {
      const [reader, packets] = [new CaptureReader(), new PacketsInFrames()];
      const found = [...reader.push(writePcap(linkType, frames))].flatMap((frame) => [...packets.add(frame)]);
      found.push(...packets.end());
      expect(packets.notRead.map(({ text }) => text)).toEqual(notRead);
      expect(found.map(({ content }) => content)).toEqual(Array(messages).fill('sip'));
    },
  );
});
