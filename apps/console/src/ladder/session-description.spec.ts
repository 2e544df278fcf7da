import { compareDescriptions, describedMedia } from './session-description.js';

const OFFER = [
  'v=0',
  'o=- 1 1 IN IP4 192.0.2.10',
  's=-',
  'c=IN IP4 192.0.2.10',
  't=0 0',
  'm=audio 50000 RTP/AVP 0 96 101',
  'a=rtpmap:96 opus/48000/2',
  'a=sendrecv',
  'm=video 0 RTP/AVP 97',
  'c=IN IP4 192.0.2.11/127',
  'a=candidate:1 1 UDP 1 192.0.2.11 50002 typ host',
].join('\r\n');

describe('describedMedia', () => {
  it('reads address, port, direction and codecs of each medium, from the session where the medium has none', () => {
    expect(describedMedia(OFFER)).toMatchObject([
      {
        type: 'audio',
        address: '192.0.2.10',
        port: '50000',
        direction: 'sendrecv',
        codecs: ['PCMU/8000', 'opus/48000/2', '101'],
      },
      { type: 'video', address: '192.0.2.11', port: '0', direction: 'sendrecv', codecs: ['97'], candidates: 1 },
    ]);
  });

  it('accepts what is not a description', () => {
    expect(describedMedia('')).toEqual([]);
    expect(describedMedia('m=')).toMatchObject([{ type: '', port: '', codecs: [] }]);
  });
});

describe('compareDescriptions', () => {
  const changed = (before: string, after: string): readonly string[] =>
    compareDescriptions(before, after)
      .filter(({ kind }) => kind !== 'same')
      .map(({ kind, text }) => `${kind === 'added' ? '+' : '-'}${text}`);

  it('shows a changed line as removed and added, at its place', () => {
    const held = OFFER.replace('a=sendrecv', 'a=sendonly');
    expect(changed(OFFER, held)).toEqual(['-a=sendrecv', '+a=sendonly']);
    const texts = compareDescriptions(OFFER, held).map(({ text }) => text);
    expect(texts.slice(6, 9)).toEqual(['a=rtpmap:96 opus/48000/2', 'a=sendrecv', 'a=sendonly']);
  });

  it('compares medium by medium', () => {
    expect(changed('m=audio 1\na=x\nm=video 2\na=x', 'm=audio 1\na=x\nm=video 2')).toEqual(['-a=x']);
    expect(changed(OFFER, OFFER.slice(0, OFFER.indexOf('m=video')))).toHaveLength(3);
    expect(changed('', 'v=0\nm=audio 1')).toEqual(['+v=0', '+m=audio 1']);
  });

  it('shows repeated lines that were added, and no changed order', () => {
    expect(changed('a\nb', 'a\na\nb')).toEqual(['+a']);
    expect(changed('a\nb', 'b\na')).toEqual([]);
  });
});
