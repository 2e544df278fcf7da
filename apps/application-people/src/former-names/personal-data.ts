import { Injectable } from '@nestjs/common';
import { isBefore, type PersonNames, type Rename } from '@ringdown/directory/stored';
import { Meetings } from '@ringdown/meetings';
import { ContactLists } from '../contact-lists/contact-lists.js';
import { PersonalSettings } from '../personal-settings/personal-settings.js';
import { Presences } from '../presence/presences.js';
import { Applications } from '../sessions/applications.js';
import { Sessions } from '../sessions/sessions.js';

/** What this service keeps under the names of a person: contact list, settings, meetings, presence and applications. */
@Injectable()
export class PersonalData {
  constructor(
    private readonly contactLists: ContactLists,
    private readonly settings: PersonalSettings,
    private readonly meetings: Meetings,
    private readonly presences: Presences,
    private readonly applications: Applications,
    private readonly sessions: Sessions,
  ) {}

  /** It may be repeated: what was moved already is found moved. */
  async move(rename: Rename): Promise<void> {
    const { from, to } = rename;
    await this.contactLists.move(rename);
    await this.settings.move(rename);
    if (from.sipAddress !== to.sipAddress) {
      await this.meetings.move(from.sipAddress, to.sipAddress, (storedAt) => isBefore(rename, storedAt));
    }
    await this.presences.move(rename);
    if (from.username === to.username) return;
    // The presence of the new name may have them, too: they are not among its applications.
    for (const id of await this.endApplications(from.username, rename.endedAt)) await this.presences.leave(to, id);
  }

  /** Deletes what was stored before this time. */
  async delete({ username, sipAddress }: PersonNames, before: number): Promise<void> {
    await this.contactLists.delete(username, before);
    await this.settings.delete(username, before);
    await this.meetings.deleteAll(sipAddress, before);
    await this.presences.delete({ username, sipAddress }, before);
    // At the end, so that nothing is stored again when they leave.
    await this.endApplications(username, before);
  }

  /**
   * Ends the clients that have signed in with the name before this time, with their conversations and event channels: the
   * next person with the name would find them (ADR 0064). Their ids.
   */
  private async endApplications(username: string, before = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
    const former = await this.applications.createdBefore(username, before);
    for (const application of former) await this.sessions.end(application);
    return former.map(({ id }) => id);
  }
}
