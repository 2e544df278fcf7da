import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  startApplicationPeople,
  startDiscoveryAuth,
  fetchUserToken,
  writePeople,
  type RunningService,
  type Staff,
} from './running-services.js';

const folder = mkdtempSync(join(tmpdir(), 'ringdown-people-'));
const env = { PEOPLE_FILE: join(folder, 'people.json'), DATA_DIR: folder };
const staff: readonly Staff[] = [
  {
    user: 'alice',
    name: 'Alice Archer',
    contacts: ['bob', 'zoe'],
    phones: { mobile: '+12025550101', work: '+12025550100' },
  },
  { user: 'bob', name: 'Bob <b>&"Baker"', title: 'Chief & Cook' },
  { user: 'zoe', name: 'Zoë Em' },
  ...Array.from({ length: 30 }, (_, n): Staff => ({ user: `clerk.${n}`, name: `Clerk Number ${n}` })),
];
const started = new Started();
let nats: TestNats;
let auth: RunningService;
let service: RunningService;
let tokens: Record<'alice' | 'bob', string>;
let A: string;

beforeAll(async () => {
  await writePeople(env.PEOPLE_FILE, staff);
  nats = started.add(await startNats());
  auth = started.add(await startDiscoveryAuth(nats.urlOf('discovery-auth'), env));
  service = started.add(await startApplicationPeople(nats.urlOf('application-people'), env));
  tokens = { alice: await fetchUserToken(auth.base, 'alice'), bob: await fetchUserToken(auth.base, 'bob') };
  A = await applicationOf('alice');
});
afterAll(async () => {
  await started.stopAll();
  rmSync(folder, { recursive: true });
});

async function applicationOf(user: 'alice' | 'bob'): Promise<string> {
  const response = await fetch(`${service.base}/uc/v1/applications`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens[user]}`, 'content-type': 'application/json' },
    body: JSON.stringify({ culture: 'en', endpointId: 'e', userAgent: 'u' }),
  });
  const { id } = (await response.json()) as { id: string };
  return `/uc/v1/applications/${id}`;
}

function get(path: string, headers: Record<string, string> = {}, user: 'alice' | 'bob' = 'alice'): Promise<Response> {
  return fetch(service.base + path, { headers: { authorization: `Bearer ${tokens[user]}`, ...headers } });
}

interface Contacts {
  readonly moreResultsAvailable: boolean;
  readonly _embedded?: { readonly contact: readonly { readonly name: string }[] };
}

function contactsIn({ _embedded: embedded }: Contacts): readonly { readonly name: string }[] | undefined {
  return embedded?.contact;
}

async function search(query: string): Promise<Contacts> {
  const response = await get(`${A}/people/search${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Contacts;
}

/** In the order in which a contact shows them. */
function linksOfContact(contact: string): Readonly<Record<string, { readonly href: string }>> {
  return {
    contactPhoto: { href: contact.replace('/people/', '/photos/') },
    contactPresence: { href: `${contact}/presence` },
    contactLocation: { href: `${contact}/location` },
    contactNote: { href: `${contact}/note` },
    contactSupportedModalities: { href: `${contact}/supportedMedia` },
    contactPrivacyRelationship: { href: `${contact}/privacyRelationship` },
  };
}

describe('a people search', () => {
  it('replies to the request of the specification with the response that it shows', async () => {
    const type = 'application/vnd.ringdown.uc+xml';
    const response = await fetch(`${service.base}${A}/people/search?query=zoe%20em&limit=20`, {
      headers: {
        accept: type,
        'content-type': type,
        'X-Ringdown-Namespace': 'internal',
        'X-Ringdown-WebTicket': tokens.alice,
      },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect(response.headers.get('x-ringdown-namespace')).toBe('internal');
    const xml = await response.text();
    const [, etag] = /name="etag">(\d+)</.exec(xml) ?? [];
    expect(xml).toBe(
      `<?xml version="1.0" encoding="utf-8"?><resource rel="search" href="${A}/people/search?query=zoe%20em&amp;limit=20" xmlns="urn:ringdown:uc:v1">` +
        '<property name="moreResultsAvailable">False</property>' +
        `<resource rel="contact" href="${A}/people/zoe@example.test">` +
        Object.entries(linksOfContact(`${A}/people/zoe@example.test`))
          .map(([rel, { href }]) => `<link rel="${rel}" href="${href}"/>`)
          .join('') +
        '<property name="name">Zoë Em</property><property name="uri">sip:zoe@example.test</property>' +
        '<propertyList name="emailAddresses"><item>zoe@example.test</item></propertyList>' +
        '<property name="sourceNetwork">SameEnterprise</property><property name="type">User</property>' +
        `<property name="etag">${etag}</property></resource></resource>`,
    );
  });

  it('replies in JSON with contacts whose links work', async () => {
    const response = await get(`${A}/people/search?query=BAKER`);
    expect(response.headers.get('content-type')).toBe('application/json');
    const href = `${A}/people/bob@example.test`;
    const bob = {
      name: 'Bob <b>&"Baker"',
      uri: 'sip:bob@example.test',
      emailAddresses: ['bob@example.test'],
      title: 'Chief & Cook',
      sourceNetwork: 'SameEnterprise',
      type: 'User',
      _links: { self: { href }, ...linksOfContact(href) },
      rel: 'contact',
      etag: expect.stringMatching(/^\d+$/),
    };
    expect(await response.json()).toEqual({
      moreResultsAvailable: false,
      _links: { self: { href: `${A}/people/search?query=BAKER` } },
      _embedded: { contact: [bob] },
      rel: 'search',
    });
    expect(await (await get(href)).json()).toEqual(bob);
    expect(await (await get(href.replace('bob@', 'BOB%40'))).json()).toEqual(bob);
  });

  it('finds a whole address, in revision 2 of the resource', async () => {
    const path = `${A}/people/search?mail=SIP:Bob@example.test`;
    const self = { href: `${A}/people/search?mail=SIP%3ABob%40example.test`, revision: '2' };
    const response = await get(path, { 'X-Ringdown-RequiresMinResourceVersion': '2' });
    expect(await response.json()).toMatchObject({
      _links: { self },
      _embedded: { contact: [{ title: 'Chief & Cook' }] },
    });
    expect(await (await get(path, { accept: 'application/xml' })).text()).toContain(`href="${self.href}" revision="2"`);
    expect(await search('?mail=bob')).not.toHaveProperty('_embedded');
  });

  it('leaves out the list when no one is found', async () => {
    for (const query of ['?query=nobody', '?query=*()%5C', '?query=%3Cscript%3E&limit=1']) {
      expect(await search(query)).not.toHaveProperty('_embedded');
    }
    const xml = await (await get(`${A}/people/search?query=nobody`, { accept: 'application/xml' })).text();
    expect(xml).toContain('<property name="moreResultsAvailable">False</property></resource>');
  });

  it('reports more results exactly when there are more', async () => {
    const sizes = await Promise.all(
      ['&limit=29', '&limit=30', '&limit=100', '', '&limit=1'].map(async (limit) => {
        const result = await search(`?query=clerk${limit}`);
        return [contactsIn(result)?.length, result.moreResultsAvailable];
      }),
    );
    expect(sizes).toEqual([
      [29, true],
      [30, false],
      [30, false],
      [25, true],
      [1, true],
    ]);
    const xml = await (await get(`${A}/people/search?query=clerk&limit=1`, { accept: 'application/xml' })).text();
    expect(xml).toContain('<property name="moreResultsAvailable">True</property>');
  });

  it.each(['', '?query=', '?query=a&limit=0', '?query=a&limit=101', '?query=a&limit=x', '?query=a&query=b'])(
    'with %s is rejected with the parameter',
    async (query) => {
      const response = await get(`${A}/people/search${query}`);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        code: 'BadRequest',
        subcode: 'ParameterValidationFailure',
        parameters: [{ name: expect.stringMatching(/query|limit/), reason: expect.any(String) }],
      });
    },
  );

  it('follows the people file within two seconds', async () => {
    expect(await search('?query=newcomer')).not.toHaveProperty('_embedded');
    await writePeople(env.PEOPLE_FILE, [...staff, { user: 'new', name: 'Newcomer' }]);
    const found = await eventually(
      'the newcomer to be found',
      async () => contactsIn(await search('?query=newcomer')),
      2_500,
    );
    expect(found).toMatchObject([{ name: 'Newcomer' }]);
  });
});

describe('contacts', () => {
  it('are those of the owner, in their order, each with a link that works', async () => {
    const body = (await (await get(`${A}/people/contacts`)).json()) as Contacts;
    expect(body).toMatchObject({ _links: { self: { href: `${A}/people/contacts` } }, rel: 'myContacts' });
    expect(contactsIn(body)?.map(({ name }) => name)).toEqual(['Bob <b>&"Baker"', 'Zoë Em']);
  });

  it('are an empty list when there are none', async () => {
    const response = await get(`${await applicationOf('bob')}/people/contacts`, {}, 'bob');
    expect(await response.json()).toMatchObject({ _embedded: { contact: [] } });
  });

  it('of an unknown person are not found', async () => {
    for (const address of ['nobody@example.test', 'alice', '%00', '..%2f..', `${'a'.repeat(400)}@example.test`]) {
      const response = await get(`${A}/people/${address}`);
      expect([response.status, await response.json()]).toEqual([404, expect.objectContaining({ code: 'NotFound' })]);
    }
  });
});

describe('me and people', () => {
  it('have their own resources', async () => {
    expect(await (await get(`${A}/me`)).json()).toMatchObject({ name: 'Alice Archer', rel: 'me' });
    expect(await (await get(`${A}/people`)).json()).toMatchObject({
      _links: { search: { href: `${A}/people/search` } },
      rel: 'people',
    });
  });

  it('link to the telephone numbers of the directory, and not to operations that change them', async () => {
    const phone = (type: string, number: string): unknown => ({
      number,
      type,
      includeInContactCard: true,
      _links: { self: { href: `${A}/me/phones/${type}` } },
      rel: 'phone',
      etag: expect.stringMatching(/^\d+$/),
    });
    const work = phone('work', 'tel:+12025550100');
    expect(await (await get(`${A}/me/phones`)).json()).toEqual({
      _links: { self: { href: `${A}/me/phones` } },
      _embedded: { phone: [work, phone('mobile', 'tel:+12025550101')] },
      rel: 'phones',
    });
    expect(await (await get(`${A}/me/phones/Work`)).json()).toEqual(work);
    for (const kind of ['home', 'fax', '__proto__', 'toString']) {
      expect((await get(`${A}/me/phones/${kind}`)).status).toBe(404);
    }
    const none = await applicationOf('bob');
    expect(await (await get(`${none}/me/phones`, {}, 'bob')).json()).toMatchObject({ _embedded: { phone: [] } });
    expect((await get(`${A}/me/phones`, {}, 'bob')).status).toBe(404);
  });

  it('are found under the paths of deployed clients in the profile ms', async () => {
    const ms = started.add(
      await startApplicationPeople(nats.urlOf('application-people'), { ...env, VENDOR_PROFILE: 'ms' }),
    );
    const id = A.split('/').at(-1) ?? '';
    const response = await fetch(`${ms.base}//ucwa/v1/Applications/${id}/people/search?Query=zoe`, {
      headers: { 'X-MS-WebTicket': tokens.alice, accept: 'application/vnd.microsoft.com.ucwa+xml' },
    });
    expect(await response.text()).toContain(
      `<resource rel="search" href="/ucwa/oauth/v1/applications/${id}/people/search?query=zoe" xmlns="http://schemas.microsoft.com/rtc/2012/03/ucwa">`,
    );
  });
});
