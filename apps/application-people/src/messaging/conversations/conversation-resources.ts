import { Injectable } from '@nestjs/common';
import { LinkBuilder, type Link, type Resource } from '@ringdown/hypermedia';
import type { Conversation } from './conversation.js';
import { MessagingLinks } from '../messaging-links.js';
import { ConversationView } from '../messaging-resources.js';

/** The conversations of an application, and each of them as that application sees it (web-interface.md, section 8). */
@Injectable()
export class ConversationResources {
  constructor(private readonly links: LinkBuilder) {}

  of(applicationId: string): MessagingLinks {
    return new MessagingLinks(this.links, applicationId);
  }

  view(applicationId: string, conversation: Conversation): ConversationView {
    return new ConversationView(this.of(applicationId), conversation);
  }

  conversations(applicationId: string, conversations: readonly Conversation[]): Resource {
    const links = this.of(applicationId);
    return {
      rel: 'conversations',
      href: links.conversations,
      links: conversations.map((each): Link => ({
        rel: 'conversation',
        href: links.conversation(each),
        many: true,
        ...(each.subject === undefined ? {} : { title: each.subject }),
      })),
    };
  }
}
