import { Fault } from '@ringdown/web-server/errors';
import { InputPipe, QuerySource } from '@ringdown/web-server/input';
import { PollQuery, pollSettings } from './poll-parameters.js';

function read(query: string): unknown {
  try {
    const source = new QuerySource(`/events${query}`);
    const poll = new InputPipe().transform(source, { type: 'custom', metatype: PollQuery }) as PollQuery;
    return [poll.ack, pollSettings(poll), poll.instanceId];
  } catch (error) {
    if (error instanceof Fault) return error.details.parameters;
    throw error;
  }
}

describe('the parameters of a poll', () => {
  it.each([
    ['', [undefined, {}, null]],
    ['?ack=7&low=10', [7, { low: 10 }, null]],
    ['?ACK=%207%20&Low=', [7, {}, null]],
    ['?ack=1&low=60&low=5&LOW=%20', [1, {}, null]],
    ['?timeout=200&timeout=300&medium=20', [undefined, { medium: 20, timeout: 300 }, null]],
    [
      '?low=-1&medium=9999&timeout=90&priority=-5',
      [undefined, { low: 5, medium: 1_800, timeout: 180, priority: 0 }, null],
    ],
    ['?instanceId=a&instanceId=b&other=x', [undefined, {}, 'a']],
    ['?instanceId=', [undefined, {}, '']],
  ])('are read from %s', (query, parameters) => {
    expect(read(query)).toEqual(parameters);
  });

  it.each(['x', '1.5', '1e3', '0x10', '1234567890123456'])('are all rejected at once when they are %s', (text) => {
    expect(read(`?ack=${text}&low=1&medium=${text}`)).toEqual([
      { name: 'ack', reason: 'ack must be a whole number' },
      { name: 'medium', reason: 'medium must be a whole number' },
    ]);
  });
});
