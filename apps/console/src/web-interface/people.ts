import type { OwnApplication } from './application.js';
import {
  readContact,
  readGroup,
  readMembership,
  readPresence,
  type Contact,
  type Group,
  type Membership,
  type Presence,
} from './people-resources.js';
import type { Requests } from './requests.js';

export interface FoundPeople {
  readonly people: readonly Contact[];
  /** There are more results than requested. */
  readonly hasMore: boolean;
}

export interface MembershipList {
  readonly memberships: readonly Membership[];
  /** The address for removing a contact from all groups. */
  readonly removeContact: string;
}

/** Other people: search, contacts, groups, presence (web-interface.md, section 5). */
export class PeopleClient {
  constructor(private readonly application: OwnApplication) {}

  /** Best match first. `limit` is 1 to 100. */
  async search(query: string, limit: number, signal?: AbortSignal): Promise<FoundPeople> {
    const parameters = { query: { query, limit: String(limit) }, ...(signal && { signal }) };
    const found = await this.requests.get(this.links.search, parameters);
    return { people: found.embeddedList('contact').map(readContact), hasMore: found.flag('moreResultsAvailable') };
  }

  async contacts(): Promise<readonly Contact[]> {
    return (await this.requests.get(this.links.contacts)).embeddedList('contact').map(readContact);
  }

  async contact(href: string): Promise<Contact> {
    return readContact(await this.requests.get(href));
  }

  /** The two standard groups come first. */
  async groups(): Promise<readonly Group[]> {
    const groups = await this.requests.get(this.links.groups);
    const fixed = [groups.embedded('pinnedGroup'), groups.embedded('defaultGroup')];
    return [...fixed, ...groups.embeddedList('group')].map(readGroup);
  }

  async memberships(): Promise<MembershipList> {
    const list = await this.requests.get(this.links.memberships);
    return {
      memberships: list.embeddedList('myGroupMembership').map(readMembership),
      removeContact: list.link('removeContactFromAllGroups'),
    };
  }

  /** Into the default group unless another one is named. Throws RequestRefused with `AlreadyExists` if it is already in the group. */
  async addContact(uri: string, groupId?: string): Promise<void> {
    const body = { contactUri: uri, ...(groupId === undefined ? {} : { groupId }) };
    await this.requests.notify(this.links.memberships, { body });
  }

  async removeContact(uri: string): Promise<void> {
    const { removeContact } = await this.memberships();
    await this.requests.notify(removeContact, { body: { contactUri: uri } });
  }

  /** A person who is in no group any more is not a contact any more. */
  async removeFromGroup({ href }: Membership): Promise<void> {
    await this.requests.delete(href);
  }

  async createGroup(displayName: string): Promise<void> {
    await this.requests.notify(this.links.groups, { body: { displayName } });
  }

  /** Throws RequestRefused with 412 if the group was changed since it was read. */
  async renameGroup({ href, etag, putToken }: Group, name: string): Promise<void> {
    const token = putToken === undefined ? {} : { [putToken]: 'please pass this in a PUT request' }; // not shown: sent to the server
    await this.requests.put(href, { headers: { 'if-match': `"${etag}"` }, body: { ...token, name } });
  }

  async deleteGroup({ href }: Group): Promise<void> {
    await this.requests.delete(href);
  }

  async presence({ links }: Contact): Promise<Presence> {
    return readPresence(await this.requests.get(links.presence));
  }

  /** Empty if there is none. */
  async note({ links }: Contact): Promise<string> {
    return (await this.requests.get(links.note)).text('message');
  }

  /** Empty if it is not known. */
  async location({ links }: Contact): Promise<string> {
    return (await this.requests.get(links.location)).text('location');
  }

  /** Undefined if there is none. */
  photo({ links }: Contact): Promise<Blob | undefined> {
    return this.requests.getFile(links.photo);
  }

  private get requests(): Requests {
    return this.application.requests;
  }

  private get links(): OwnApplication['resource']['people'] {
    return this.application.resource.people;
  }
}
