import { Injectable } from '@nestjs/common';
import { LinkBuilder, type Link, type Resource } from '@ringdown/hypermedia';
import type { SessionEvent } from '../events/session-event.js';
import { contentEtag } from '../http/etag.js';
import { putToken } from '../http/put-request.js';
import type { CallForwarding, PersonalRecord } from '../personal-settings/personal-settings.js';

const NO_FORWARDING: CallForwarding = {
  activePeriod: 'Always',
  activeSetting: 'None',
  unansweredCallHandling: 'Disabled',
};

export function callForwardingOf({ callForwarding }: PersonalRecord): CallForwarding {
  return callForwarding ?? NO_FORWARDING;
}

export function callForwardingEtag({ activePeriod, activeSetting, unansweredCallHandling }: CallForwarding): string {
  return contentEtag([activePeriod, activeSetting, unansweredCallHandling]);
}

export function callForwardingSeed(applicationId: string): string {
  return `call forwarding ${applicationId}`;
}

/** How the user's calls are forwarded, kept for all clients of the user (web-interface.md, section 6). */
@Injectable()
export class CallForwardingResources {
  constructor(private readonly links: LinkBuilder) {}

  link(id: string): Link {
    return { rel: 'callForwardingSettings', href: this.links.application(id, 'me', 'callForwardingSettings') };
  }

  callForwardingSettings(id: string, settings: CallForwarding): Resource {
    const { activePeriod, activeSetting, unansweredCallHandling } = settings;
    return {
      ...this.link(id),
      properties: {
        ...putToken(callForwardingSeed(id)),
        activePeriod,
        activeSetting,
        unansweredCallHandling,
      },
      etag: callForwardingEtag(settings),
    };
  }

  updated(id: string): SessionEvent {
    const { rel, href } = this.link(id);
    return { sender: { rel: 'me', href: this.links.application(id, 'me') }, type: 'updated', link: { rel, href } };
  }
}
