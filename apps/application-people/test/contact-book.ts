import type { Staff } from './running-services.js';
import { TwoReplicas } from './two-replicas.js';
import { resourceHref, type AnyResource, type WebClient } from './web-client.js';

/** The properties of a contact or a group in a list. */
export interface Listed extends Omit<AnyResource, '_embedded'> {
  readonly uri?: string;
  readonly name?: string;
}

/** One user's contacts and groups, as one of the user's applications shows them. */
export class ContactBook {
  readonly contacts: string;
  readonly groups: string;
  readonly memberships: string;

  constructor(
    readonly client: WebClient,
    readonly application: string,
  ) {
    this.contacts = `${application}/people/contacts`;
    this.groups = `${application}/people/groups`;
    this.memberships = `${application}/people/groupMemberships`;
  }

  static async open(client: WebClient, endpointId: string): Promise<ContactBook> {
    return new ContactBook(client, resourceHref(await client.create(endpointId)));
  }

  /** The same book at another replica. */
  at(base: string): ContactBook {
    return new ContactBook(this.client.at(base), this.application);
  }

  async uris(path = this.contacts): Promise<readonly (string | undefined)[]> {
    return (await this.listed(path, 'contact')).map(({ uri }) => uri);
  }

  async add(contactUri: string, groupId?: string): Promise<number> {
    return (await this.client.post(this.memberships, { contactUri, groupId })).status;
  }

  async groupNamed(name: string): Promise<Listed> {
    const group = (await this.listed(this.groups, 'group')).find((each) => each.name === name);
    if (group === undefined) throw new Error(`there is no group ${name}`);
    return group;
  }

  async makeGroup(displayName: string): Promise<Listed> {
    await this.client.post(this.groups, { displayName });
    return this.groupNamed(displayName);
  }

  /** Sends a PUT of the group with another name, like a client that has read it. */
  rename(group: Listed, name: string): Promise<Response> {
    return this.client.send('PUT', resourceHref(group), { ...group, name }, { 'if-match': `"${group.etag}"` });
  }

  private async listed(path: string, rel: string): Promise<readonly Listed[]> {
    const { _embedded: embedded } = await this.client.read(path);
    const list: unknown = Object(embedded)[rel];
    if (!Array.isArray(list)) throw new Error(`no list ${rel} at ${path}`);
    return list;
  }
}

/** Alice, who has Bob as a contact, and her contacts as two replicas show them. Cid is not among them. */
export interface AliceWithContacts {
  readonly world: TwoReplicas;
  readonly alice: WebClient;
  readonly book: ContactBook;
  /** The same at the other replica. */
  readonly there: ContactBook;
}

export async function aliceWithContacts(more: readonly Staff[] = []): Promise<AliceWithContacts> {
  const world = await TwoReplicas.start([
    { user: 'alice', name: 'Alice Archer', contacts: ['bob'] },
    { user: 'bob', name: 'Bob Baker' },
    { user: 'cid', name: 'Çid <Ö>' },
    ...more,
  ]);
  const alice = await world.user('alice');
  const book = await ContactBook.open(alice, 'contacts');
  return { world, alice, book, there: book.at(world.other) };
}

/** Status, code and subcode of a rejection. */
export async function refusal(response: Response): Promise<readonly unknown[]> {
  const { code, subcode } = Object(await response.json());
  return [response.status, code, subcode];
}
