import { once } from 'node:events';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { listenOn } from './listen.js';
import { answerUnreadable } from './unreadable-requests.js';

describe('a connection without a readable request', () => {
  it('is closed without an answer when its TLS handshake takes too long', async () => {
    const answers: string[] = [];
    const answer = answerUnreadable((unreadable) => {
      answers.push(unreadable);
      return { status: 400, contentType: 'text/plain', body: unreadable };
    });
    const states: boolean[] = [];
    const server = createServer({ handshakeTimeout: 100 });
    server.on('clientError', answer).on('clientError', (_error, { destroyed }) => states.push(destroyed));
    const client = connect(await listenOn(server, 0, '127.0.0.1'), '127.0.0.1');
    const ended = once(server, 'clientError');
    expect(await text(client)).toBe('');
    await ended;
    expect({ answers, states }).toEqual({ answers: [], states: [true] });
    server.close();
    await once(server, 'close');
  });
});
