import type { LinkBuilder } from '@ringdown/hypermedia';

/** URLs of all messaging resources, as one application sees them (web-interface.md, sections 4 and 8). */
export class CommunicationLinks {
  constructor(
    protected readonly builder: LinkBuilder,
    readonly applicationId: string,
  ) {}

  get communication(): string {
    return this.path();
  }

  get conversations(): string {
    return this.path('conversations');
  }

  get invitations(): string {
    return this.path('messagingInvitations');
  }

  protected path(...segments: readonly string[]): string {
    return this.builder.application(this.applicationId, 'communication', ...segments);
  }
}
