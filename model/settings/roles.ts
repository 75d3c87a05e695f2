/** Roles of users, from least to most (G3). */

export const USER_ROLES = ['viewer', 'operator', 'approver', 'admin'] as const;
export type UserRole = (typeof USER_ROLES)[number];

export const hasRoleAtLeast = (role: UserRole, needed: UserRole): boolean =>
  USER_ROLES.indexOf(role) >= USER_ROLES.indexOf(needed);
