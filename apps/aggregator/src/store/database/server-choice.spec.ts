import { loggedLines } from '@ringdown/testing/logged-lines';
import { databaseServers, type SessionAttrs } from '../../database-servers.js';
import type { ServerState } from './probe-server.js';
import { ServerChoice } from './server-choice.js';

const { servers } = databaseServers('postgres://u:p@a:1,b:2/d');
const primary = (timeline: number): ServerState => ({ isStandby: false, timeline, lagSeconds: 0 });
const standby = (lagSeconds = 0): ServerState => ({ isStandby: true, timeline: 0, lagSeconds });

interface ChoiceUnderTest {
  readonly states: Record<string, ServerState | Error>;
  readonly choice: ServerChoice;
  /** The address that is chosen anew. */
  readonly chosen: () => Promise<string>;
  readonly messages: () => readonly string[];
}

function choiceOf(states: Record<string, ServerState | Error>, attrs: SessionAttrs = 'primary'): ChoiceUnderTest {
  const { logger, lines } = loggedLines();
  const choice = new ServerChoice({
    servers,
    attrs,
    logger,
    probe: async ({ address }) => {
      const state = states[address];
      if (state === undefined || state instanceof Error) throw state ?? new Error('unknown server');
      return state;
    },
  });
  const chosen = async (): Promise<string> => {
    choice.forget();
    return (await choice.server()).address;
  };
  return { states, choice, chosen, messages: () => lines.map(({ msg }) => msg) };
}

describe('of several database servers', () => {
  it('each gets a URL of its own, without what only the choice needs', () => {
    expect(databaseServers('postgres://u:p@a:1,b:2/d?target_session_attrs=primary&x=1')).toEqual({
      servers: [
        { url: 'postgres://u:p@a:1/d?x=1', address: 'a:1' },
        { url: 'postgres://u:p@b:2/d?x=1', address: 'b:2' },
      ],
      attrs: 'primary',
    });
  });

  it('the primary is used, and the other one after its promotion', async () => {
    const { states, chosen, messages } = choiceOf({ 'a:1': primary(1), 'b:2': standby() });
    expect(await chosen()).toBe('a:1');
    states['a:1'] = new Error('connection refused');
    states['b:2'] = primary(2);
    expect(await chosen()).toBe('b:2');
    expect(messages()).toEqual(['the database server in use is a:1', 'the database server in use is b:2']);
  });

  it('the one in use stays while this process lacks descriptors to check them', async () => {
    const { states, choice } = choiceOf({ 'a:1': primary(2), 'b:2': standby() });
    expect((await choice.server()).address).toBe('a:1');
    const { chosen, states: unseen } = choiceOf({
      'a:1': Object.assign(new Error('connect EMFILE 192.0.2.1:5432'), { code: 'EMFILE' }),
      'b:2': primary(1),
    });
    // The older primary would be written to, because nobody has seen the newer one.
    await expect(chosen()).rejects.toThrow('the database servers could not be checked: connect EMFILE 192.0.2.1:5432');
    Object.assign(states, unseen);
    expect((await choice.server()).address).toBe('a:1');
  });

  it('none is used while there is no primary, and each is described', async () => {
    const { chosen } = choiceOf({ 'a:1': new Error('getaddrinfo ENOTFOUND a'), 'b:2': standby() });
    await expect(chosen()).rejects.toThrow('no primary: a:1 (getaddrinfo ENOTFOUND a), b:2 (a standby)');
  });

  it('the primary with the older timeline is not used, and is logged once', async () => {
    const { chosen, messages } = choiceOf({ 'a:1': primary(1), 'b:2': primary(2) });
    expect([await chosen(), await chosen()]).toEqual(['b:2', 'b:2']);
    expect(messages().filter((line) => line.startsWith('two primaries'))).toEqual([
      'two primaries: a:1 has the older timeline 1 and is not written to; b:2 with timeline 2 is',
    ]);
  });

  it('the one with the older timeline is not used when the newer one is away, either', async () => {
    const { states, chosen } = choiceOf({ 'a:1': primary(1), 'b:2': primary(2) });
    await chosen();
    states['b:2'] = new Error('connection refused');
    await expect(chosen()).rejects.toThrow(
      'a:1 is a primary of timeline 1, but timeline 2 was written before: it is not written to',
    );
  });

  it('none is used when two primaries have the same timeline', async () => {
    const { chosen } = choiceOf({ 'a:1': primary(2), 'b:2': primary(2) });
    await expect(chosen()).rejects.toThrow('a:1 and b:2 are both primaries of timeline 2: neither is written to');
  });

  it('the standby with the least lag is preferred for reading, and the primary used without one', async () => {
    const { states, chosen } = choiceOf({ 'a:1': standby(9), 'b:2': standby(7) }, 'prefer-standby');
    expect(await chosen()).toBe('b:2');
    states['a:1'] = primary(1);
    states['b:2'] = new Error('connection refused');
    expect(await chosen()).toBe('a:1');
  });
});
