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
  /** There are more than were asked for. */
  readonly hasMore: boolean;
}

export interface MembershipList {
  readonly memberships: readonly Membership[];
  /** Where a contact is taken out of all groups. */
  readonly removeContact: string;
}

/** Other people: search, contacts, groups, presence (web-interface.md, section 5). */
export class PeopleClient {
  constructor(private readonly application: OwnApplication) {}

  /** Best match first. `limit` is 1 to 100. */
  async search(query: string, limit: number, signal?: AbortSignal): Promise<FoundPeople> {
    const asked = { query: { query, limit: String(limit) }, ...(signal && { signal }) };
    const found = await this.requests.get(this.links.search, asked);
    return { people: found.embeddedList('contact').map(readContact), hasMore: found.flag('moreResultsAvailable') };
  }

  async contacts(): Promise<readonly Contact[]> {
    return (await this.requests.get(this.links.contacts)).embeddedList('contact').map(readContact);
  }

  async contact(href: string): Promise<Contact> {
    return readContact(await this.requests.get(href));
  }

  /** The two that everybody has come first. */
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

  /** Into the default group unless another one is named. Throws Refusal with `AlreadyExists` when it is in it. */
  async addContact(uri: string, groupId?: string): Promise<void> {
    const body = { contactUri: uri, ...(groupId === undefined ? {} : { groupId }) };
    await this.requests.tell(this.links.memberships, { body });
  }

  async removeContact(uri: string): Promise<void> {
    const { removeContact } = await this.memberships();
    await this.requests.tell(removeContact, { body: { contactUri: uri } });
  }

  /** In no group any more, somebody is no contact any more. */
  async removeFromGroup({ href }: Membership): Promise<void> {
    await this.requests.delete(href);
  }

  async createGroup(displayName: string): Promise<void> {
    await this.requests.tell(this.links.groups, { body: { displayName } });
  }

  /** Throws Refusal with 412 when the group is not any more as it was read. */
  async renameGroup({ href, etag, putToken }: Group, name: string): Promise<void> {
    const token = putToken === undefined ? {} : { [putToken]: 'please pass this in a PUT request' };
    await this.requests.put(href, { headers: { 'if-match': `"${etag}"` }, body: { ...token, name } });
  }

  async deleteGroup({ href }: Group): Promise<void> {
    await this.requests.delete(href);
  }

  async presence({ links }: Contact): Promise<Presence> {
    return readPresence(await this.requests.get(links.presence));
  }

  /** Empty when there is none. */
  async note({ links }: Contact): Promise<string> {
    return (await this.requests.get(links.note)).text('message');
  }

  /** Empty when it is not known. */
  async location({ links }: Contact): Promise<string> {
    return (await this.requests.get(links.location)).text('location');
  }

  /** Undefined when there is none. */
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
