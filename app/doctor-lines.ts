/** One line of `agentpr doctor`. What is good but has something to fix is a warning. */
export type DoctorCheck = { name: string; ok: boolean; says: string; fix: string };

export const passedLine = (name: string, says: string): DoctorCheck => ({ name, ok: true, says, fix: '' });
export const warningLine = (name: string, says: string, fix: string): DoctorCheck => ({
  name,
  ok: true,
  says,
  fix,
});
export const failedLine = (name: string, says: string, fix: string): DoctorCheck => ({
  name,
  ok: false,
  says,
  fix,
});
