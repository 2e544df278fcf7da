export { applicationPeople, applicationPeopleSettings } from './service.js';
