/** Where a resource of the known clients is looked for. */
export type Place =
  /** A link, an embedded resource or an event of an application in use. */
  | 'application'
  /** The steps before an application: discovery and the token service. */
  | 'sign-in';

export interface KnownResource {
  readonly name: string;
  readonly place: Place;
  /** `link`: the link to it is there, and is answered with 403. */
  readonly state: 'works' | 'absent' | 'link';
}

function resources(place: Place, state: KnownResource['state'], names: string): readonly KnownResource[] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => ({ name, place, state }));
}

/** Every resource and operation that web-interface.md names, with what this server has of it. */
export const KNOWN_RESOURCES: readonly KnownResource[] = [
  ...resources('sign-in', 'works', 'root user xframe applications password anonmeeting'),
  ...resources('sign-in', 'absent', 'windows passive'),
  ...resources(
    'application',
    'works',
    `application policies batch events
    me makeMeAvailable presence note location reportMyActivity photo phones phone callForwardingSettings
    people search contact
    myContacts myGroups group pinnedGroup defaultGroup groupContacts myGroupMemberships myGroupMembership
    removeContactFromAllGroups
    myContactsAndGroupsSubscription startOrRefreshSubscriptionToContactsAndGroups stopSubscriptionToContactsAndGroups
    presenceSubscriptions presenceSubscription subscribeToGroupPresence presenceSubscriptionMemberships
    addToPresenceSubscription subscribedContacts
    contactPresence contactNote contactLocation contactSupportedModalities contactPhoto
    myPrivacyRelationships contactPrivacyRelationship
    communication conversations conversation messaging messagingInvitation startMessaging addMessaging sendMessage
    stopMessaging message setIsTyping typingParticipants participants participant localParticipant participantMessaging
    accept decline cancel
    onlineMeetings myOnlineMeetings myOnlineMeeting onlineMeeting`,
  ),
  ...resources('application', 'link', 'addParticipant participantInvitation'),
  ...resources(
    'application',
    'absent',
    `reportMyNetwork changeNumber changeVisibility
    distributionGroup expandDistributionGroup addToContactList removeFromContactList
    delegatesGroup delegatorsGroup myOrganizationGroup
    onlineMeetingDefaultValues onlineMeetingEligibleValues onlineMeetingPolicies onlineMeetingInvitationCustomization
    phoneDialInInformation myAssignedOnlineMeeting
    startOnlineMeeting joinOnlineMeeting onlineMeetingInvitation
    startAudio startVideo startPhoneAudio audioVideo phoneAudio applicationSharing dataCollaboration mediaPolicies
    mediaRelayAccessToken conversationLogs missedItems`,
  ),
];
