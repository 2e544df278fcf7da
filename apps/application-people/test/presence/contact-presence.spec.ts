import { eventually } from '@ringdown/testing/eventually';
import type { EventChannels } from '../../src/events/event-channels.js';
import { eventsFor } from '../session-events.js';
import { TwoReplicas } from '../two-replicas.js';
import { resourceHref, resourceLinkNames, embeddedMe, type WebClient } from '../web-client.js';
import { openSession } from './own-session.js';

let world: TwoReplicas;
let channels: EventChannels;
let alice: WebClient;

beforeAll(async () => {
  world = await TwoReplicas.start(['alice', 'hugo', 'ida', 'jane', 'kurt'].map((user) => ({ user, name: user })));
  alice = await world.user('alice');
  channels = await world.channels();
});
afterAll(() => world.stop());

describe('the presence of others', () => {
  it('is linked in each contact, and the same at every replica', async () => {
    const { client: hugo, me } = await openSession(world, 'hugo', { supportedModalities: ['Messaging'] });
    await hugo.post(`${me}/note`, { message: 'Hello' });
    await hugo.post(`${me}/location`, { location: 'Here' });
    const contact = await alice.read(`${resourceHref(await alice.create('looks'))}/people/hugo@example.test`);
    const path = resourceHref(contact);
    const other = alice.at(world.other);
    expect(await other.read(resourceHref(contact, 'contactPresence'))).toEqual({
      availability: 'Online',
      activity: 'Available',
      deviceType: 'Web',
      lastActive: expect.stringMatching(/^\/Date\(\d{13}\)\/$/),
      _links: { self: { href: `${path}/presence` } },
      rel: 'contactPresence',
    });
    expect(await other.read(resourceHref(contact, 'contactNote'))).toMatchObject({
      message: 'Hello',
      type: 'Personal',
    });
    expect(await other.read(resourceHref(contact, 'contactLocation'))).toMatchObject({ location: 'Here' });
    expect(await other.read(resourceHref(contact, 'contactSupportedModalities'))).toMatchObject({
      modalities: ['Messaging'],
    });
    const xml = await other.get(resourceHref(contact, 'contactPresence'), { accept: 'application/xml' });
    expect(await xml.text()).toMatch(/<property name="lastActive">\d{4}-\d\d-\d\dT/);
  });

  it('is offline for a person who was never here, and not found for an unknown one', async () => {
    const people = `${resourceHref(await alice.create('looks'))}/people`;
    expect(await alice.read(`${people}/ida%40EXAMPLE.test/presence`)).toMatchObject({
      availability: 'Offline',
      deviceType: 'Unknown',
    });
    expect(await alice.read(`${people}/ida@example.test/supportedMedia`)).toMatchObject({ modalities: [] });
    for (const part of ['presence', 'note', 'location', 'supportedMedia']) {
      expect((await alice.get(`${people}/nobody@example.test/${part}`)).status).toBe(404);
    }
  });

  it('ends with their last session, except for the parts that are meant to last', async () => {
    const jane = await openSession(world, 'jane');
    const second = await openSession(world, 'jane');
    await jane.client.post(`${jane.me}/presence`, { availability: 'Busy' });
    await jane.client.post(`${jane.me}/note`, { message: 'Lasts' });
    const path = `${resourceHref(await alice.create('looks'))}/people/jane@example.test`;
    await jane.client.send('DELETE', jane.href);
    expect(await alice.read(`${path}/presence`)).toMatchObject({ availability: 'Busy' });
    await jane.client.at(world.other).send('DELETE', second.href);
    expect(await alice.read(`${path}/presence`)).toMatchObject({ availability: 'Offline' });
    expect(await alice.read(`${path}/note`)).toMatchObject({ message: 'Lasts' });
    await openSession(world, 'jane');
    expect(await alice.read(`${path}/presence`)).toMatchObject({ availability: 'Online' });
  });

  it('is unchanged after everything has restarted, and continues to change', async () => {
    const { id, href, me } = await openSession(world, 'kurt', { signInAs: 'Busy' });
    const lookout = resourceHref(await alice.create('looks'));
    await eventually('the first events to be delivered', async () => (await eventsFor(channels, id)).length === 5);
    await world.restartAll();
    const again = await world.user('kurt');
    const looking = (await world.user('alice')).at(world.other);
    const path = `${lookout}/people/kurt@example.test/presence`;
    expect(await looking.read(path)).toMatchObject({ availability: 'Busy' });
    expect(resourceLinkNames(embeddedMe(await again.read(href)))).toContain('presence');
    expect((await again.post(`${me}/presence`, { availability: 'BeRightBack' })).status).toBe(204);
    expect(await looking.read(path)).toMatchObject({ availability: 'BeRightBack' });
    const newChannels = await world.channels();
    await eventually('the event to be delivered', async () =>
      (await eventsFor(newChannels, id)).includes('updated presence /me/presence'),
    );
  });
});
