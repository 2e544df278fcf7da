export { GUEST_DOMAIN, isGuestAddress, UNNAMED_GUEST } from './guest-address.js';
export {
  ACCESS_LEVELS,
  conferenceUri,
  Meetings,
  parseConferenceUri,
  type AccessLevel,
  type Meeting,
  type MeetingContent,
  type NewMeeting,
} from './meetings.js';
