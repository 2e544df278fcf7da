import { Injectable } from '@nestjs/common';
import { isBefore, type PersonNames, type Rename } from '@ringdown/directory';
import { Meetings, type Meeting } from '@ringdown/meetings';
import { ContactLists } from '../contact-lists/contact-lists.js';
import { PersonalSettings } from '../personal-settings/personal-settings.js';
import { Presences } from '../presence/presences.js';

/** What this service keeps under the names of a person: contact list, settings, meetings and presence. */
@Injectable()
export class PersonalData {
  constructor(
    private readonly contactLists: ContactLists,
    private readonly settings: PersonalSettings,
    private readonly meetings: Meetings,
    private readonly presences: Presences,
  ) {}

  /** It may be repeated: what was moved already is found moved. */
  async move(rename: Rename): Promise<void> {
    const { from, to } = rename;
    await this.contactLists.move(rename);
    await this.settings.move(rename);
    if (from.sipAddress !== to.sipAddress) {
      const isOwn = ({ createdAt }: Meeting): boolean => isBefore(rename, createdAt);
      await this.meetings.move(from.sipAddress, to.sipAddress, isOwn);
    }
    await this.presences.move(rename);
  }

  /** Deletes what was stored before this time. */
  async delete({ username, sipAddress }: PersonNames, before: number): Promise<void> {
    await this.contactLists.delete(username, before);
    await this.settings.delete(username, before);
    await this.meetings.deleteAll(sipAddress, before);
    await this.presences.delete({ username, sipAddress }, before);
  }
}
