/** What takes place once, as one names it. English. */
export const JOURNEYS = 'trip|flight|journey|holiday|vacation|cruise|tour|getaway|honeymoon';
export const EVENTS = `${JOURNEYS}|wedding|party|appointment|concert|exam|interview|visit|conference|tournament|race|marathon|surgery|operation|reunion|ceremony|retreat|workshop|match|dinner|barbecue|bbq|picnic|date|event|meeting|booking|reservation|viewing|audition|hearing|move|baptism|festival`;
