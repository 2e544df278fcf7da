import type { Settings } from '../settings.js';
import { MESSAGING_RULES, type MessagingRules } from './conversations/conversation.js';

/** Injects {@link MessagingRules}. */
export const RULES = Symbol('rules of messaging');

export function messagingRules(settings: Settings): MessagingRules {
  return {
    ...MESSAGING_RULES,
    ringMs: settings.invitationSeconds * 1000,
    pickUpMs: settings.messagePickUpSeconds * 1000,
    idleMs: settings.conversationIdleMinutes * 60_000,
  };
}
