import { TOKENS_INTROSPECT_PATTERN, TOKENS_REVOKED_SUBJECT } from '@ringdown/contracts';
import { Bus } from '@ringdown/nats';
import { eventually, quietLogger, startNats, type TestNats } from '@ringdown/testing';
import { tokenHash, TokenValidator, type IntrospectionReply, type IntrospectionRequest } from '../src/index.js';

const principals = new Map<string, IntrospectionReply['principal']>();
let asked = 0;
/** What the owner waits for before it sends an answer that it has found. */
let held: Promise<void> | undefined;

async function introspect(request: unknown): Promise<IntrospectionReply> {
  asked++;
  // The validator under test has sent it.
  const principal = principals.get((request as IntrospectionRequest).tokenHash) ?? null;
  await held;
  return { principal };
}

describe('a service that checks tokens', () => {
  let nats: TestNats;
  let bus: Bus;
  let stopIntrospection: () => void;
  let validator: TokenValidator;

  beforeAll(async () => {
    nats = await startNats();
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    validator = new TokenValidator({ bus });
    stopIntrospection = bus.respond(TOKENS_INTROSPECT_PATTERN, introspect);
  });
  afterAll(async () => {
    validator.close();
    stopIntrospection();
    await bus.close();
    await nats.stop();
  });

  function issue(token: string, expiresAt = Date.now() + 60_000): void {
    const principal = { username: 'a@x', sipAddress: 'sip:a@x', roles: ['user'] as const, expiresAt };
    principals.set(tokenHash(token), principal);
  }

  it('asks the owner of tokens once and believes the answer for a while', async () => {
    let tokens = 0;
    // The while may be over before the second check, on a machine that is busy.
    await eventually('two checks with one question', async () => {
      const token = `known ${++tokens}`;
      issue(token);
      asked = 0;
      expect(await validator.check(token)).toMatchObject({ username: 'a@x' });
      expect(await validator.check(token)).toMatchObject({ username: 'a@x' });
      return asked === 1;
    });
  });

  it('asks the owner of a token once for all who want to know', async () => {
    issue('known');
    asked = 0;
    const checked = await Promise.all([validator.check('known'), validator.check('known')]);
    expect(checked).toEqual([
      expect.objectContaining({ username: 'a@x' }),
      expect.objectContaining({ username: 'a@x' }),
    ]);
    expect(asked).toBe(1);
  });

  it('believes no token that is unknown or past its time', async () => {
    issue('old', Date.now() - 1);
    expect(await validator.check('old')).toBeNull();
    expect(await validator.check('never issued')).toBeNull();
  });

  it('forgets a revoked token as soon as it is told', async () => {
    issue('revoked');
    expect(await validator.check('revoked')).not.toBeNull();
    // Its owner would still say that it is good: nothing but the news ends it.
    bus.publish(TOKENS_REVOKED_SUBJECT, { tokenHash: tokenHash('revoked') });
    expect(await eventually('the revocation', async () => (await validator.check('revoked')) === null)).toBe(true);
  });

  it('tells whoever waits for it, and nobody else, when a token is revoked', async () => {
    const told: string[] = [];
    const forget = ['told', 'told', 'other', 'left'].map((token) =>
      validator.whenRevoked(token, () => told.push(token)),
    );
    forget[3]?.();
    for (const token of ['left', 'told']) bus.publish(TOKENS_REVOKED_SUBJECT, { tokenHash: tokenHash(token) });
    await eventually('the news', () => told.length >= 2);
    expect(told).toEqual(['told', 'told']);
    // One that comes a moment too late.
    validator.whenRevoked('told', () => told.push('late'))();
    expect(told).toEqual(['told', 'told', 'late']);
    for (const each of forget) each();
  });

  it('takes no answer that was on its way when the token was revoked', async () => {
    issue('overtaken');
    let release = (): void => undefined;
    held = new Promise((resolve) => (release = resolve));
    const before = asked;
    const checked = validator.check('overtaken');
    await eventually('the question', async () => asked > before);
    bus.publish(TOKENS_REVOKED_SUBJECT, { tokenHash: tokenHash('overtaken') });
    await bus.connection.flush();
    held = undefined;
    release();
    expect(await checked).toBeNull();
  });

  it('learns within a second of a revocation that it was not told of', async () => {
    issue('untold');
    expect(await validator.check('untold')).not.toBeNull();
    principals.clear();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await validator.check('untold')).toBeNull();
  });

  it('waits for a token service that comes back a moment later than this one', async () => {
    issue('early');
    stopIntrospection();
    await bus.connection.flush();
    const checked = validator.check('early');
    await new Promise((resolve) => setTimeout(resolve, 300));
    stopIntrospection = bus.respond(TOKENS_INTROSPECT_PATTERN, introspect);
    expect(await checked).toMatchObject({ username: 'a@x' });
  });

  it('says that the token service does not answer, rather than that the token is wrong', async () => {
    stopIntrospection();
    await expect(validator.check('anything')).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
