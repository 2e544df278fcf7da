import { setting, type SettingValues } from '@ringdown/settings';
import { MESSAGING_RULES, type MessagingRules } from './conversation.js';

export const messagingSettings = {
  invitationSeconds: setting.integer('INVITATION_SECONDS', {
    default: 30,
    min: 1,
    max: 600,
    about: 'How long an invitation to a conversation waits for an answer, seconds',
  }),
  messagePickUpSeconds: setting.integer('MESSAGE_PICK_UP_SECONDS', {
    default: 30,
    min: 1,
    max: 600,
    about: 'How long a message waits to be fetched before its sender is told that it was not, seconds',
  }),
  conversationIdleMinutes: setting.integer('CONVERSATION_IDLE_MINUTES', {
    default: 1_440,
    min: 1,
    max: 7_200,
    about: 'After how many minutes without a message a conversation ends by itself',
  }),
  conversationsPerApplication: setting.integer('CONVERSATIONS_PER_APPLICATION', {
    default: 100,
    min: 1,
    max: 200,
    about: 'Conversations that one application may be in at once',
  }),
  messageMaxBytes: setting.integer('MESSAGE_MAX_BYTES', {
    default: 8_192,
    min: 1,
    max: 32_768,
    about: 'The longest message, bytes of UTF-8',
  }),
};

export function messagingRules(settings: SettingValues<typeof messagingSettings>): MessagingRules {
  return {
    ...MESSAGING_RULES,
    ringMs: settings.invitationSeconds * 1000,
    pickUpMs: settings.messagePickUpSeconds * 1000,
    idleMs: settings.conversationIdleMinutes * 60_000,
  };
}
