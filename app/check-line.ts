/** One line of `agentpr doctor`. What is good but has something to fix is a warning. */
export type DoctorCheck = { name: string; ok: boolean; says: string; fix: string };

export const good = (name: string, says: string): DoctorCheck => ({ name, ok: true, says, fix: '' });
export const warn = (name: string, says: string, fix: string): DoctorCheck => ({
  name,
  ok: true,
  says,
  fix,
});
export const bad = (name: string, says: string, fix: string): DoctorCheck => ({
  name,
  ok: false,
  says,
  fix,
});
