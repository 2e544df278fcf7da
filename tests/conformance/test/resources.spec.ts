import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { at, header, json, textAt } from '../src/answer.js';
import { Device } from '../src/device.js';
import { KNOWN_RESOURCES, type KnownResource } from '../src/known-resources.js';
import { namesIn, walkLinks } from '../src/link-walk.js';
import {
  createApplication,
  createSession,
  findUser,
  FORM,
  guestTokenRequest,
  requestToken,
  tokenServiceIn,
} from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

const GUIDE = new URL('../../../../docs/guides/existing-clients.md', import.meta.url);

/** The rows of the table: the names in the first column, and the second column. */
function rowsOfGuide(): readonly { readonly names: readonly string[]; readonly state: string }[] {
  const text = readFileSync(fileURLToPath(GUIDE), 'utf8');
  const table = text.slice(text.indexOf('## Resources'), text.indexOf('## When a client'));
  return [...table.matchAll(/^\| (.+?) \| (.+?) \|$/gm)].map(([, first = '', state = '']) => ({
    names: [...first.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    state,
  }));
}

describe('the resources of known clients (interface A)', () => {
  const client = new WebClient();
  const { user, otherUser } = client.system;
  const found = new Set<string>();
  let own: Device;
  let other: Device;

  beforeAll(async () => {
    const before = await createSession(client, user, unique('resources-'));
    await walk(before.token, before.self);
    await client.call('deleteApplication', { method: 'DELETE', url: before.self, token: before.token });
    [own, other] = [await Device.start(client, user), await Device.start(client, otherUser)];
    await useContacts();
    await useMeeting();
    await useConversation();
  });
  afterAll(async () => {
    await own.end();
    await other.end();
    await client.close();
  });

  async function walk(token: string, start: string): Promise<void> {
    const { names, dead } = await walkLinks(client, token, start);
    expect(dead).toEqual([]);
    for (const name of names) found.add(name);
  }

  /** The resource `messaging` of an event with this state. */
  async function messagingOf({ events }: Device, state: string): Promise<unknown> {
    return (await events.until('messaging', 'updated', ({ resource }) => at(resource, 'state') === state)).resource;
  }

  async function useContacts(): Promise<void> {
    const contactUri = `sip:${otherUser.username}`;
    const membership = await own.post('addContact', own.link('people', 'myGroupMemberships'), {
      contactUri,
      groupId: 'pinned',
    });
    expect([201, 409]).toContain(membership.status);
    const subscriptions = own.link('people', 'presenceSubscriptions');
    const made = json(await own.post('subscribeToPresence', subscriptions, { duration: 11, uris: [contactUri] }));
    await walk(own.session.token, textAt(made, '_links', 'self', 'href'));
    for (const name of namesIn(made)) found.add(name);
    const { token } = own.session;
    await walk(token, own.session.self);
    const url = header(membership, 'location');
    if (url !== undefined) await client.call('removeFromGroup', { method: 'DELETE', url, token });
  }

  async function useMeeting(): Promise<void> {
    const meeting = json(await own.post('createMyOnlineMeeting', own.link('onlineMeetings', 'myOnlineMeetings'), {}));
    await walk(own.session.token, own.session.self);
    const token = await requestToken(client, guestTokenRequest(client.system, meeting));
    const guest = await createApplication(client, own.session.applications, token, unique('guest-'));
    await walk(token, textAt(guest, '_links', 'self', 'href'));
    const url = textAt(meeting, '_links', 'self', 'href');
    await client.call('deleteMyOnlineMeeting', { method: 'DELETE', url, token: own.session.token });
  }

  async function useConversation(): Promise<void> {
    const subject = unique('resources-');
    const invitation = await own.invite({ to: `sip:${otherUser.username}`, subject });
    await walk(own.session.token, own.session.self);
    await walk(own.session.token, invitation);
    const incoming = await other.invited(subject);
    await walk(other.session.token, textAt(incoming, '_links', 'self', 'href'));
    expect((await other.post('acceptMessaging', textAt(incoming, '_links', 'accept', 'href'))).status).toBe(204);
    const link = async (by: Device, rel: string): Promise<string> =>
      textAt(await messagingOf(by, 'Connected'), '_links', rel, 'href');
    expect((await other.sendText(await link(other, 'sendMessage'), 'Hello')).status).toBe(201);
    await own.events.until('message', 'completed');
    await walk(own.session.token, own.session.self);
    expect((await own.post('setIsTyping', await link(own, 'setIsTyping'))).status).toBe(204);
    expect((await own.post('stopMessaging', await link(own, 'stopMessaging'))).status).toBe(204);
    await messagingOf(other, 'Disconnected');
    for (const { rel, event } of [...own.events.events, ...other.events.events]) {
      for (const name of [rel, ...namesIn(event)]) found.add(name);
    }
  }

  it.each(KNOWN_RESOURCES.map((each) => [each.name, each] as const))(
    'the guide names %s with its state',
    (name, each) => {
      const rows = rowsOfGuide().filter(({ names }) => names.includes(name));
      expect(rows).toHaveLength(1);
      const begin = { works: /^works/, absent: /^absent/, link: /403/ }[each.state];
      expect(rows[0]?.state).toMatch(begin);
    },
  );

  it('the guide names no others', () => {
    const known = new Set(KNOWN_RESOURCES.map(({ name }) => name));
    const more = rowsOfGuide().flatMap(({ names }) => names.filter((name) => !known.has(name)));
    expect(more).toEqual(['redirect']);
  });

  const inApplication = (state: KnownResource['state']): readonly string[] =>
    KNOWN_RESOURCES.filter((each) => each.place === 'application' && each.state === state).map(({ name }) => name);

  it('those that work are found in an application in use', () => {
    expect(inApplication('works').filter((name) => !found.has(name))).toEqual([]);
    expect(found.has('addParticipant')).toBe(true);
  });

  it('those that are absent have no link', () => {
    expect(inApplication('absent').filter((name) => found.has(name))).toEqual([]);
  });

  it.each(['windows', 'passive'])('the token service rejects the grant type %s', async (grant) => {
    const { challenge } = await findUser(client);
    const { challengeScheme, grantPrefix } = client.system.names;
    const answer = await client.call('requestToken', {
      method: 'POST',
      url: tokenServiceIn(challenge, challengeScheme),
      headers: { 'content-type': FORM },
      body: new URLSearchParams({ grant_type: grantPrefix + grant }).toString(),
    });
    expect([answer.status, json(answer)]).toEqual([400, expect.objectContaining({ error: 'unsupported_grant_type' })]);
    expect(header(answer, 'content-type')).toContain('json');
  });
});
