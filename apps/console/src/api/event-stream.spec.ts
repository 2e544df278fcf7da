import { EventStreamParser } from './event-stream.js';

describe('EventStreamParser', () => {
  const text = 'id: a-1\nevent: call\ndata: {"x":1}\n\n: still there\n\nevent: call\ndata: 2\ndata:3\n\ndata: cut';

  it('returns complete events, without comments', () => {
    expect(new EventStreamParser().push(text)).toEqual([
      { id: 'a-1', name: 'call', data: '{"x":1}' },
      { id: 'a-1', name: 'call', data: '2\n3' },
    ]);
  });

  it('returns the same events however the stream is split, and with all line ends', () => {
    for (const ends of ['\n', '\r\n', '\r']) {
      const parser = new EventStreamParser();
      const events = text
        .replaceAll('\n', ends)
        .split('')
        .flatMap((character) => parser.push(character));
      expect(events).toEqual(new EventStreamParser().push(text));
    }
  });

  it('names events without a name "message", as browsers do', () => {
    expect(new EventStreamParser().push('data\n\n')).toEqual([{ id: '', name: 'message', data: '' }]);
  });
});
