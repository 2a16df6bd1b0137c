/** Something to search in at once. */
export const SAMPLE = `Bread rises because yeast turns sugar into gas.
The library closes at eight on weekdays and at noon on Saturdays.
A falling stone speeds up by nearly ten meters per second every second.
Our dog hides under the table whenever there is a thunderstorm.
To reset your password, open the settings and choose "Account".
The orchestra will play two symphonies and a violin concerto.
Most of the ocean floor has never been seen by anyone.
Invoices are due thirty days after delivery.
She planted tomatoes and beans behind the house in May.
The train to the coast leaves from platform four.
Antibiotics do not help against viruses.
The museum lends bicycles to its visitors free of charge.`;

export const SAMPLE_QUERY = "how do I change my login";
