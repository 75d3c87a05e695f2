/** A patch as people get it, in a thread of readers. */
import { forPeople } from '../bot/text/visible-patch.ts';

const FILES = /(?<=\n)(?=diff --git )/;

export const tasks = {
  show: (patch: string): string => patch.split(FILES).map(forPeople).join(''),
};
