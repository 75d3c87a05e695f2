/** One line of `agentpr doctor`. What is good but has something to mend is a warning. */
export type DoctorCheck = { name: string; ok: boolean; says: string; mend: string };

export const good = (name: string, says: string): DoctorCheck => ({ name, ok: true, says, mend: '' });
export const warn = (name: string, says: string, mend: string): DoctorCheck => ({
  name,
  ok: true,
  says,
  mend,
});
export const bad = (name: string, says: string, mend: string): DoctorCheck => ({
  name,
  ok: false,
  says,
  mend,
});
