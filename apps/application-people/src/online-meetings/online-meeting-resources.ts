import { Injectable } from '@nestjs/common';
import { conferenceUri, type Meeting } from '@ringdown/meetings';
import type { Person } from '@ringdown/directory';
import { LinkBuilder, type Resource } from '@ringdown/hypermedia';
import { etagOf } from '../http/etag.js';

/** The resources of online meetings (web-interface.md, section 4). */
@Injectable()
export class OnlineMeetingResources {
  constructor(private readonly links: LinkBuilder) {}

  onlineMeetings(applicationId: string): Resource {
    return {
      rel: 'onlineMeetings',
      href: this.links.application(applicationId, 'onlineMeetings'),
      links: [{ rel: 'myOnlineMeetings', href: this.href(applicationId) }],
    };
  }

  myOnlineMeetings(applicationId: string, meetings: readonly Meeting[], organizer: Person): Resource {
    const resources = meetings.map((meeting) => this.myOnlineMeeting(applicationId, meeting, organizer));
    return {
      rel: 'myOnlineMeetings',
      href: this.href(applicationId),
      embedded: [{ rel: 'myOnlineMeeting', many: true, resources }],
    };
  }

  myOnlineMeeting(applicationId: string, meeting: Meeting, organizer: Person): Resource {
    const { id, accessLevel, subject, description, expiresAt } = meeting;
    const properties = {
      accessLevel,
      conferenceId: id,
      description,
      expirationTime: expiresAt === undefined ? undefined : new Date(expiresAt),
      onlineMeetingId: id,
      onlineMeetingUri: conferenceUri(meeting),
      organizerName: organizer.name,
      organizerUri: meeting.organizer,
      subject,
    };
    return {
      rel: 'myOnlineMeeting',
      href: this.href(applicationId, id),
      properties,
      etag: etagOf(properties),
    };
  }

  private href(applicationId: string, ...meetingId: readonly string[]): string {
    return this.links.application(applicationId, 'onlineMeetings', 'myOnlineMeetings', ...meetingId);
  }
}
