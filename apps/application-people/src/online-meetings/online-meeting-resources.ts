import { Injectable } from '@nestjs/common';
import { conferenceUri, type Meeting } from '@ringdown/meetings';
import type { Person } from '@ringdown/directory';
import { LinkBuilder, type Resource } from '@ringdown/hypermedia';
import { contentEtag } from '../http/etag.js';
import { putToken } from '../http/put-request.js';

/** What clients read of every meeting and we offer to none: the words of the interface for "not here". */
const NOT_OFFERED = {
  automaticLeaderAssignment: 'Disabled',
  entryExitAnnouncement: 'Unsupported',
  lobbyBypassForPhoneUsers: 'Disabled',
  phoneUserAdmission: 'Disabled',
} as const;

export function meetingSeed(applicationId: string, meetingId: string): string {
  return `meeting ${applicationId} ${meetingId.toUpperCase()}`;
}

/** Changes with the meeting, and not with the origin of the request. */
export function meetingEtag({ accessLevel, subject, description, expiresAt }: Meeting, organizerName: string): string {
  return contentEtag([accessLevel, subject, description, expiresAt, organizerName]);
}

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

  /** The meeting that has admitted the guest of an application. */
  guestMeetingHref(applicationId: string): string {
    return this.links.application(applicationId, 'onlineMeetings', 'onlineMeeting');
  }

  myOnlineMeetings(
    applicationId: string,
    meetings: readonly Meeting[],
    organizer: Person,
    publicOrigin: string,
  ): Resource {
    const resources = meetings.map((meeting) => this.myOnlineMeeting(applicationId, meeting, organizer, publicOrigin));
    return {
      rel: 'myOnlineMeetings',
      href: this.href(applicationId),
      embedded: [{ rel: 'myOnlineMeeting', many: true, resources }],
    };
  }

  myOnlineMeeting(applicationId: string, meeting: Meeting, organizer: Person, publicOrigin: string): Resource {
    return {
      rel: 'myOnlineMeeting',
      href: this.href(applicationId, meeting.id),
      // The property that a PUT has to repeat comes first, as clients expect it there.
      properties: {
        ...putToken(meetingSeed(applicationId, meeting.id)),
        ...this.shownToAll(meeting, organizer.name, publicOrigin),
        ...NOT_OFFERED,
        attendees: [],
        conferenceId: meeting.id,
        description: meeting.description,
        leaders: [],
        onlineMeetingRel: 'myOnlineMeetings',
      },
      etag: meetingEtag(meeting, organizer.name),
    };
  }

  onlineMeeting(applicationId: string, meeting: Meeting, organizerName: string, publicOrigin: string): Resource {
    return {
      rel: 'onlineMeeting',
      href: this.guestMeetingHref(applicationId),
      properties: this.shownToAll(meeting, organizerName, publicOrigin),
      etag: meetingEtag(meeting, organizerName),
    };
  }

  private shownToAll(
    meeting: Meeting,
    organizerName: string,
    publicOrigin: string,
  ): NonNullable<Resource['properties']> {
    const { accessLevel, id, organizer, subject, expiresAt } = meeting;
    return {
      accessLevel,
      expirationTime: expiresAt === undefined ? undefined : new Date(expiresAt),
      joinUrl: this.links.meetingPage(publicOrigin, organizer, id),
      onlineMeetingId: id,
      onlineMeetingUri: conferenceUri(meeting),
      organizerName,
      organizerUri: organizer,
      subject,
    };
  }

  private href(applicationId: string, ...meetingId: readonly string[]): string {
    return this.links.application(applicationId, 'onlineMeetings', 'myOnlineMeetings', ...meetingId);
  }
}
