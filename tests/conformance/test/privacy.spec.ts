import { at, header, json, textAt, type Answer } from '../src/answer.js';
import { Device } from '../src/device.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

const JSON_BODY = { 'content-type': 'application/json' };

/** Section 5: privacy relationships decide who sees what of presence, location and note. */
describe('privacy relationships', () => {
  const client = new WebClient();
  const { user, otherUser, operator } = client.system;
  let owner: Device;
  let viewer: Device;
  let third: Device;

  beforeAll(async () => {
    owner = await Device.start(client, user);
    viewer = await Device.start(client, otherUser);
    third = await Device.start(client, operator);
    const me = `${owner.session.self}/me`;
    await owner.post('setPresence', `${me}/presence`, { availability: 'Busy' });
    await owner.post('setNote', `${me}/note`, { message: 'At work' });
    await owner.post('setLocation', `${me}/location`, { location: 'Office' });
  });
  afterAll(async () => {
    await choose('Unknown');
    const me = `${owner.session.self}/me`;
    for (const [operation, part] of [
      ['setPresence', 'presence'],
      ['setNote', 'note'],
      ['setLocation', 'location'],
    ] as const) {
      await owner.post(operation, `${me}/${part}`);
    }
    for (const each of [owner, viewer, third]) await each.end();
    await client.close();
  });

  const relationship = (by = owner, address = otherUser.username): string =>
    `${by.session.self}/people/${address}/privacyRelationship`;

  function put(url: string, body: object, headers: Record<string, string>): Promise<Answer> {
    const { token } = owner.session;
    const sent = { ...JSON_BODY, ...headers };
    return client.call('changePrivacyRelationship', {
      method: 'PUT',
      url,
      token,
      headers: sent,
      body: JSON.stringify(body),
    });
  }

  async function choose(relationshipLevel: string): Promise<number> {
    const before = await owner.read('readPrivacyRelationship', relationship());
    const headers = { 'if-match': `"${textAt(before, 'etag')}"` };
    return (await put(relationship(), { ...Object(before), relationshipLevel }, headers)).status;
  }

  /** What a device sees of the owner: availability, note and location. */
  async function seen(by: Device): Promise<readonly unknown[]> {
    const person = `${by.session.self}/people/${user.username}`;
    const presence = await by.read('readContactPresence', `${person}/presence`);
    const note = await by.read('readContactNote', `${person}/note`);
    const location = await by.read('readContactLocation', `${person}/location`);
    return [at(presence, 'availability'), at(note, 'message'), at(location, 'location')];
  }

  const EVERYTHING = ['Busy', 'At work', 'Office'];

  it('are linked, and the ones that the user has chosen are listed', async () => {
    const found = await owner.read('searchPeople', `${owner.session.search}?mail=${otherUser.username}`);
    const link = textAt(found, '_embedded', 'contact', 0, '_links', 'contactPrivacyRelationship', 'href');
    expect(link).toBe(relationship());
    expect(await owner.read('readPrivacyRelationship', link)).toMatchObject({ relationshipLevel: 'Colleagues' });
    expect(await choose('Workgroup')).toBe(204);
    const list = await owner.read('listPrivacyRelationships', owner.link('people', 'myPrivacyRelationships'));
    expect(at(list, '_embedded', 'contactPrivacyRelationship')).toMatchObject([{ relationshipLevel: 'Workgroup' }]);
    expect(await choose('Unknown')).toBe(204);
    const none = await owner.read('listPrivacyRelationships', owner.link('people', 'myPrivacyRelationships'));
    expect(at(none, '_embedded', 'contactPrivacyRelationship')).toEqual([]);
  });

  it.each([
    ['Unknown', EVERYTHING],
    ['FriendsAndFamily', EVERYTHING],
    ['Workgroup', EVERYTHING],
    ['Colleagues', EVERYTHING],
    ['External', ['Busy', '', '']],
    ['Blocked', ['Offline', '', '']],
  ])('show %s what this level sees, and others everything', async (level, expected) => {
    expect(await choose(level)).toBe(204);
    expect(await seen(viewer)).toEqual(expected);
    expect(await seen(third)).toEqual(EVERYTHING);
    expect(await seen(owner)).toEqual(EVERYTHING);
  });

  it('hide from a blocked person when the user was active, and how to reach the user', async () => {
    expect(await choose('Blocked')).toBe(204);
    const person = `${viewer.session.self}/people/${user.username}`;
    const presence = await viewer.read('readContactPresence', `${person}/presence`);
    expect(presence).toMatchObject({ availability: 'Offline', deviceType: 'Unknown' });
    expect(at(presence, 'lastActive')).toBeUndefined();
    expect(at(await viewer.read('readContactModalities', `${person}/supportedMedia`), 'modalities')).toEqual([]);
    const subject = unique('blocked-');
    const location = await viewer.invite({ to: `sip:${user.username}`, subject });
    const failed = await viewer.events.until(
      'messagingInvitation',
      'completed',
      ({ resource }) => textAt(resource, '_links', 'self', 'href') === location,
    );
    expect(failed.event).toMatchObject({ reason: { code: 'RemoteFailure', subcode: 'TemporarilyUnavailable' } });
  });

  it('notify both sides, and decide which changes a subscriber is notified of', async () => {
    await choose('Unknown');
    const uris = [`sip:${user.username}`];
    for (const each of [viewer, third]) {
      const answer = await each.post('subscribeToPresence', each.link('people', 'presenceSubscriptions'), { uris });
      expect(answer.status).toBe(201);
    }
    const ofOwner = (rel: string) => (each: { rel: string; event: unknown }) =>
      each.rel === rel && textAt(each.event, 'in', 'href').endsWith(`/people/${user.username}`);
    expect(await choose('External')).toBe(204);
    await viewer.events.until('contactNote', 'updated', ofOwner('contactNote'));
    await viewer.events.until('contactPresence', 'updated', ofOwner('contactPresence'));
    await owner.events.until('contactPrivacyRelationship', 'updated');
    viewer.events.events.splice(0);
    third.events.events.splice(0);
    const me = `${owner.session.self}/me`;
    await owner.post('setNote', `${me}/note`, { message: 'Elsewhere' });
    await third.events.until('contactNote', 'updated', ofOwner('contactNote'));
    await owner.post('setPresence', `${me}/presence`, { availability: 'Away' });
    await viewer.events.until('contactPresence', 'updated', ofOwner('contactPresence'));
    expect(viewer.events.events.filter(ofOwner('contactNote'))).toEqual([]);
  });

  it('are rejected when they are wrong, outdated, of oneself or of an unknown person', async () => {
    const before = Object(await owner.read('readPrivacyRelationship', relationship()));
    const match = { 'if-match': `"${textAt(before, 'etag')}"` };
    expect((await put(relationship(), before, {})).status).toBe(428);
    expect((await put(relationship(), before, { 'if-match': '"0"' })).status).toBe(412);
    expect((await put(relationship(), { ...before, relationshipLevel: 'Enemy' }, match)).status).toBe(400);
    expect((await put(relationship(), { relationshipLevel: 'Blocked' }, match)).status).toBe(400);
    const self = Object(await owner.read('readPrivacyRelationship', relationship(owner, user.username)));
    const own = { 'if-match': textAt(self, 'etag') };
    expect((await put(relationship(owner, user.username), { ...self, relationshipLevel: 'Blocked' }, own)).status).toBe(
      403,
    );
    const nobody = await owner.get('readPrivacyRelationship', relationship(owner, 'nobody@example.invalid'));
    expect([nobody.status, at(json(nobody), 'code')]).toEqual([404, 'NotFound']);
    const wrong = await client.misuse('web', { method: 'POST', url: relationship(), token: owner.session.token });
    expect([wrong.status, header(wrong, 'allow')]).toEqual([405, 'GET, HEAD, PUT']);
  });
});
