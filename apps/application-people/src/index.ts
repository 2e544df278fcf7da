export { applicationPeople } from './service.js';
export { applicationPeopleSettings } from './settings.js';
